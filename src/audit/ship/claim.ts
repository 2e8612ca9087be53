// Who sends what a dead server has left: one of the servers that live. A claim is a symbolic link whose target names the claimant: it is made at once
// or not at all, with its content, and by one only. When a claimant has died itself, the next claim has the next number; none is ever taken away
// while there is something to be sent.
import { lstatSync, readdirSync, readlinkSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { isUntouched } from '../directory.ts';
import { systemCode } from '../file-system.ts';
import { hasEnded, parseWriterName, writerName, type Writer } from '../segment-name.ts';

const SHAPE = /^(.{1,60})\.claim\.(\d{1,9})$/;

/** Whether what `dead` has left is `claimant`'s to send, from now on. */
export function claim(directory: string, dead: Writer, claimant: Writer): boolean {
  const newest = newestClaim(directory, dead);
  if (newest !== undefined && newest.by === writerName(claimant)) return true;
  if (newest !== undefined && !isFree(newest)) return false;
  try {
    symlinkSync(writerName(claimant), join(directory, `${writerName(dead)}.claim.${(newest?.number ?? 0) + 1}`));
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return false; // another was faster, or nothing can be written there
  }
  return newestClaim(directory, dead)?.by === writerName(claimant);
}

/** Forgets all claims to what `dead` has left, when that is nothing. */
export function forgetClaims(directory: string, dead: Writer): void {
  for (const { path } of claimsTo(directory, dead)) rmSync(path, { force: true });
}

interface Claim {
  readonly number: number;
  readonly by: string;
  readonly path: string;
}

function newestClaim(directory: string, dead: Writer): Claim | undefined {
  return claimsTo(directory, dead).sort((one, other) => other.number - one.number)[0];
}

function claimsTo(directory: string, dead: Writer): Claim[] {
  return readdirSync(directory).flatMap((name) => {
    const [, of = '', number = ''] = SHAPE.exec(name) ?? [];
    const path = join(directory, name);
    return of === writerName(dead) ? [{ number: Number(number), by: targetOf(path), path }] : [];
  });
}

function targetOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return ''; // no link, or gone: nobody's
  }
}

/** Its claimant has certainly ended, or is nobody. */
function isFree({ by, path }: Claim): boolean {
  const writer = parseWriterName(by);
  return writer === undefined || hasEnded(writer, () => isUntouched({ lstatSync }, path));
}
