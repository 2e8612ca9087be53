// Starts a server that outlives this process: in a POSIX session of its own, with nothing of ours open but the file for what it has to say.
import { spawn } from 'node:child_process';
import { closeSync, fstatSync, openSync, readFileSync, statSync } from 'node:fs';
import { once } from 'node:events';
import { withoutFds } from './without-fds.ts';

const MAX_LOG_BYTES = 1024 * 1024;

export interface StartServerOptions {
  /** The program and its arguments. */
  readonly command: readonly [program: string, ...args: string[]];
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  /** Absolute path; for this user alone. Begun anew when it has grown. */
  readonly logPath: string;
}

/** Resolves when it has ended, should that be while we live, to the last line that was logged since its start; empty if nothing was. Rejects when it cannot be started. */
export async function startServer({ command, env, cwd, logPath }: StartServerOptions): Promise<string> {
  const isLarge = (statSync(logPath, { throwIfNoEntry: false })?.size ?? 0) > MAX_LOG_BYTES;
  const log = openSync(logPath, isLarge ? 'w' : 'a', 0o600);
  const { size } = fstatSync(log);
  const [program, ...args] = withoutFds(command);
  const child = spawn(program, args, { detached: true, stdio: ['ignore', 'ignore', log], env, cwd });
  closeSync(log);
  child.unref();
  await once(child, 'exit'); // rejects at 'error'
  return lastLine(readFileSync(logPath).subarray(size));
}

function lastLine(bytes: Buffer): string {
  return bytes.toString('utf8').trimEnd().split('\n').at(-1) ?? '';
}
