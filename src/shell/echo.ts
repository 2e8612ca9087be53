// Takes the terminal's echo of a typed line out of what came after the typing.

const NEWLINE = /\r?\n$/;

/**
 * The bytes without the echo of the line. Output of background jobs around it stays. In canonical mode the kernel echoes a
 * line as it is, its newline as LF or CR LF; a blank first character keeps `line` from being found inside other output.
 */
export function withoutEcho(bytes: Buffer, line: string): Buffer {
  const text = line.replace(NEWLINE, '');
  const at = bytes.indexOf(text);
  if (at === -1) return bytes;
  let end = at + Buffer.byteLength(text);
  if (bytes[end] === 0x0d) end++;
  if (bytes[end] === 0x0a) end++;
  return Buffer.concat([bytes.subarray(0, at), bytes.subarray(end)]);
}
