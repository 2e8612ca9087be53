// fish's own reading of a text, by the program that comes with it.
import { spawnSync } from 'node:child_process';
import { toolPath } from './tool.ts';

const TIMEOUT_MS = 2_000;
const MAX_BYTES = 64 * 1024 * 1024;

/** The tree that fish_indent(1) dumps on standard error; undefined when it cannot be had. 3–6 ms. Nothing is run. */
export function fishTreeOf(text: string): string | undefined {
  const { status, stderr } = spawnSync('fish_indent', ['--dump-parse-tree'], { input: text, encoding: 'utf8', timeout: TIMEOUT_MS, maxBuffer: MAX_BYTES, env: { PATH: toolPath(), LC_ALL: 'C.UTF-8' } });
  return status === 0 ? stderr : undefined;
}
