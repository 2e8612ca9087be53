// A small program of the system that reads what it is given, and prints nothing.
import { spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import { toolPath } from './tool.ts';

/** Undefined when it exited with 0; else what went wrong, as the end of a sentence. It is killed with the signal, and keeps no process alive. */
export function feedTool(file: string, args: readonly string[], { input, signal }: { input: Uint8Array; signal: AbortSignal }): Promise<string | undefined> {
  return new Promise((resolve) => {
    const child = spawn(file, args, { stdio: ['pipe', 'ignore', 'ignore'], env: { PATH: toolPath() }, signal, killSignal: 'SIGKILL' });
    child.on('error', (error) => resolve(signal.aborted ? 'took too long' : 'code' in error && error.code === 'ENOENT' ? 'is not there' : error.message));
    child.on('exit', (code, by) => resolve(code === 0 ? undefined : code === null ? `was ended by ${by}` : `ended with exit code ${code}`));
    child.unref();
    (child.stdin as Socket).unref();
    child.stdin.on('error', () => undefined); // it has ended before it read everything; its exit code says why
    child.stdin.end(input);
  });
}
