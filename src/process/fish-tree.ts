// fish's own reading of a text, by the program that comes with it.
import { execFile, spawnSync } from 'node:child_process';
import { toolPath } from './tool.ts';

const ARGUMENTS = ['--dump-parse-tree'];
const TIMEOUT_MS = 2_000;
const MAX_BYTES = 64 * 1024 * 1024;

/** The tree that fish_indent(1) dumps on standard error; undefined when it cannot be had. 3–6 ms. Nothing is run. */
export function fishTreeOf(text: string): string | undefined {
  const { status, stderr } = spawnSync('fish_indent', ARGUMENTS, { ...options(), input: text });
  return status === 0 ? stderr : undefined;
}

/** The same, while others go on. */
export function readFishTree(text: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const child = execFile('fish_indent', ARGUMENTS, options(), (error, _stdout, stderr) => resolve(error === null ? stderr : undefined));
    child.stdin?.on('error', () => {}); // EPIPE, or there is no such program: told above
    child.stdin?.end(text);
  });
}

function options(): { encoding: 'utf8'; timeout: number; maxBuffer: number; env: Record<string, string> } {
  return { encoding: 'utf8', timeout: TIMEOUT_MS, maxBuffer: MAX_BYTES, env: { PATH: toolPath(), LC_ALL: 'C.UTF-8' } };
}
