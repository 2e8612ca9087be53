// `shellkeep hook`: a client asks it before a shell tool runs. Calls of wsl.exe are turned back with what to call instead; everything else passes,
// also what cannot be understood: a hook that fails must not stop the work. It is started before every command, so that it loads almost nothing.
import { readShellCall, type ShellCall } from './hook/payload.ts';
import { findWslCall } from './hook/wsl-call.ts';

/** Larger is no command that somebody wrote. */
const MAX_BYTES = 4 * 1024 * 1024;
/** A command that is quoted in the reason. */
const MAX_QUOTED = 2_000;
const PASS = {};
/** By somebody who means it: `SHELLKEEP_SKIP=1 wsl …`, `$env:SHELLKEEP_SKIP=1; wsl …`, `set SHELLKEEP_SKIP=1&& wsl …`. */
const SKIPS = /(?:^|[\s;&|("'{])(?:\$env:)?SHELLKEEP_SKIP\s*=\s*["']?1(?!\w)/i;

/** Prints one JSON object, whatever happens. */
export async function hook({ env }: { readonly env: NodeJS.ProcessEnv }): Promise<void> {
  process.stdout.on('error', () => {}); // the client has gone
  const answer = env['SHELLKEEP_SKIP'] === '1' ? PASS : answerTo(await readInput().catch(() => ''));
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}

/** What is answered to a payload. Never throws. */
export function answerTo(payload: string): object {
  try {
    const call = readShellCall(payload);
    if (call === undefined || SKIPS.test(call.command)) return PASS;
    const found = findWslCall(call.command);
    return found === undefined ? PASS : call.refusal(reasonFor(found.command, call));
  } catch {
    return PASS; // a fault of ours is no reason to hold somebody up
  }
}

function reasonFor(inner: string | undefined, { tool }: ShellCall): string {
  const skip = tool === 'powershell' ? '$env:SHELLKEEP_SKIP=1; ' : 'SHELLKEEP_SKIP=1 ';
  const meant = inner === undefined || inner.length > MAX_QUOTED ? '{"command": …}' : JSON.stringify({ command: inner });
  return (
    `Commands inside WSL run through the MCP server shellkeep, not through wsl.exe: call its tool run with ${meant}, ` +
    'or session_run where directory and variables are to stay; quoting, output and exit code arrive exactly. ' +
    `What is about WSL itself (wsl --list, wsl --shutdown) passes with ${skip}in front of it.`
  );
}

async function readInput(): Promise<string> {
  const { stdin } = process;
  if (stdin.isTTY) return ''; // a person who looks what it does
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of stdin as AsyncIterable<Buffer>) {
    bytes += piece.length;
    if (bytes > MAX_BYTES) return '';
    pieces.push(piece);
  }
  return decoded(Buffer.concat(pieces));
}

/** Programs of Windows write UTF-16 where nobody asked for it. */
function decoded(bytes: Buffer): string {
  return bytes[0] === 0xff && bytes[1] === 0xfe ? bytes.toString('utf16le') : bytes.toString('utf8');
}
