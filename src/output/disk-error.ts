// Errors of the disk that the output goes on without, and how they are told.
import { getSystemErrorMap } from 'node:util';

/** The spill files may not grow, by our own rules. The message is shown as it is. */
export class SpillRefusal extends Error {}

/**
 * What is wrong with the disk, in a few words: `no space left on device`. Anything that is neither an error of the system nor a
 * refusal of ours is a fault of this program and is thrown on.
 */
export function diskProblem(error: unknown): string {
  if (error instanceof SpillRefusal) return error.message;
  if (!isSystemError(error)) throw error;
  return getSystemErrorMap().get(error.errno)?.[1] ?? error.message;
}

function isSystemError(error: unknown): error is Error & { errno: number } {
  return error instanceof Error && 'errno' in error && typeof error.errno === 'number';
}

/** Does something on the disk whose failure changes nothing for the caller; each call says why. */
export function ignoringDiskErrors(action: () => void): void {
  try {
    action();
  } catch (error) {
    diskProblem(error);
  }
}
