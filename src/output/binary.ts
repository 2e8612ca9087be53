// Whether output is binary, and of what kind: by the first bytes that file formats begin with, else by how little of it is text.
import { isUtf8 } from 'node:buffer';
import { wholeCharacters } from './utf8.ts';

/** How much of the beginning of an output is looked at. */
export const SAMPLE_BYTES = 4_096;
/** With less than this, odd bytes are a few odd bytes and no reason to withhold the text. */
const MIN_BYTES = 512;

interface Magic {
  readonly type: string;
  /** What the format begins with, or has at the offset, one character a byte. */
  readonly bytes: string;
  readonly offset?: number;
}

const MAGIC: readonly Magic[] = [
  { type: 'image/png', bytes: '\x89PNG\r\n\x1a\n' },
  { type: 'image/jpeg', bytes: '\xff\xd8\xff' },
  { type: 'image/gif', bytes: 'GIF87a' },
  { type: 'image/gif', bytes: 'GIF89a' },
  { type: 'image/webp', bytes: 'WEBP', offset: 8 },
  { type: 'image/tiff', bytes: 'II*\0' },
  { type: 'image/tiff', bytes: 'MM\0*' },
  { type: 'application/pdf', bytes: '%PDF-' },
  { type: 'application/zip', bytes: 'PK\x03\x04' },
  { type: 'application/gzip', bytes: '\x1f\x8b\x08' },
  { type: 'application/zstd', bytes: '\x28\xb5\x2f\xfd' },
  { type: 'application/x-xz', bytes: '\xfd7zXZ\0' },
  { type: 'application/x-bzip2', bytes: '1AY&SY', offset: 4 },
  { type: 'application/x-7z-compressed', bytes: '7z\xbc\xaf\x27\x1c' },
  { type: 'application/x-tar', bytes: 'ustar', offset: 257 },
  { type: 'application/x-elf', bytes: '\x7fELF' },
  { type: 'application/x-msdownload', bytes: 'MZ\x90\0' },
  { type: 'application/x-mach-binary', bytes: '\xcf\xfa\xed\xfe' },
  { type: 'application/java-vm', bytes: '\xca\xfe\xba\xbe' },
  { type: 'application/wasm', bytes: '\0asm' },
  { type: 'application/vnd.sqlite3', bytes: 'SQLite format 3\0' },
  { type: 'audio/ogg', bytes: 'OggS' },
  { type: 'audio/wav', bytes: 'WAVE', offset: 8 },
  { type: 'audio/mpeg', bytes: 'ID3\x03' },
  { type: 'audio/mpeg', bytes: 'ID3\x04' },
  { type: 'video/mp4', bytes: 'ftyp', offset: 4 },
  { type: 'video/x-matroska', bytes: '\x1aE\xdf\xa3' },
  { type: 'font/woff2', bytes: 'wOF2' },
];

/** The type of an output that begins with this sample, `unknown type` for binary without a known beginning; undefined for text. */
export function binaryType(sample: Buffer): string | undefined {
  const whole = sample.subarray(0, wholeCharacters(sample));
  if (isUtf8(whole) && !whole.includes(0)) return undefined; // also text that only talks of formats: "%PDF-1.7 is …"
  const start = whole.toString('latin1', 0, 512);
  const known = MAGIC.find(({ bytes, offset = 0 }) => start.startsWith(bytes, offset));
  if (known !== undefined) return known.type;
  return whole.length >= MIN_BYTES && !isMostlyText(whole) ? 'unknown type' : undefined;
}

/** Text in an old encoding has many invalid bytes but no controls; lists with NUL between the names have few NULs. */
function isMostlyText(bytes: Buffer): boolean {
  const text = bytes.toString('utf8');
  const share = (pattern: RegExp): number => (text.match(pattern)?.length ?? 0) / text.length;
  if (share(/\0/g) > 0.1) return false;
  return share(/[\x01-\x06\x0e-\x1a\x1c-\x1f]/g) < 0.03 || share(/\ufffd/g) < 0.1;
}
