// What is wrong with the disk or the directory, for people and for `status`.
import { getSystemErrorMap } from 'node:util';
import { UnsafeDirectory } from './directory.ts';
import { systemCode } from './file-system.ts';

export interface Problem {
  /** ENOSPC and its like; UNSAFE_DIRECTORY. */
  readonly code: string;
  readonly message: string;
}

/** Anything that is neither an error of the system nor a refusal of ours is a fault of this program and is thrown on. */
export function describeProblem(error: unknown): Problem {
  if (error instanceof UnsafeDirectory) return { code: 'UNSAFE_DIRECTORY', message: error.message };
  const code = systemCode(error);
  if (code === undefined) throw error;
  const { errno } = error as Error & { errno?: number };
  return { code, message: getSystemErrorMap().get(errno ?? 0)?.[1] ?? (error as Error).message };
}
