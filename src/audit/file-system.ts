// The part of node:fs that the audit log uses. Tests give one that fails.
import type * as nodeFs from 'node:fs';

export type AuditFileSystem = Pick<
  typeof nodeFs,
  | 'chmodSync' | 'closeSync' | 'fdatasync' | 'fdatasyncSync' | 'fstatSync' | 'fsyncSync' | 'ftruncateSync' | 'lstatSync' | 'mkdirSync' | 'openSync'
  | 'readdirSync' | 'readSync' | 'renameSync' | 'unlinkSync' | 'writeSync'
>;

/** Writes all of the bytes: a disk that is nearly full takes some before it refuses. Throws what the disk throws. */
export function writeAll(fs: AuditFileSystem, fd: number, bytes: Uint8Array): void {
  for (let written = 0; written < bytes.length; ) {
    const count = fs.writeSync(fd, bytes, written);
    if (count === 0) throw Object.assign(new Error('ENOSPC: the disk takes no more bytes'), { code: 'ENOSPC', errno: -28 });
    written += count;
  }
}

/** Fills the target from a position on; how many bytes, fewer only at the end of the file. */
export function readFully(fs: AuditFileSystem, fd: number, target: Uint8Array, position: number): number {
  let filled = 0;
  while (filled < target.length) {
    const count = fs.readSync(fd, target, filled, target.length - filled, position + filled);
    if (count === 0) break;
    filled += count;
  }
  return filled;
}

/** The code of an error of the system; undefined for any other, which is a fault of this program. */
export function systemCode(error: unknown): string | undefined {
  return error instanceof Error && 'errno' in error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
