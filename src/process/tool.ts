// A small program of the system that does one thing and prints nothing.
import { spawn } from 'node:child_process';

/** Searched after PATH: servers are often started with a very short one, that of node alone. */
const USUAL_PLACES = '/usr/local/bin:/usr/bin:/bin';

/** Where tools are looked for. */
export function toolPath(): string {
  return `${process.env['PATH'] ?? ''}:${USUAL_PLACES}`;
}

/** Whether it could be started and exited with 0. Without pipes: node leaks them when it has no descriptor to start it with. */
export function runTool(file: string, args: readonly string[]): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(file, args, { stdio: 'ignore', env: { PATH: toolPath() } });
    child.on('error', () => resolve(false));
    child.on('exit', (code) => resolve(code === 0));
  });
}
