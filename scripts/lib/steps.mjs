// What several scripts do: run a program to its end, install what is missing, know where the checkout is.
import { spawn } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import path from 'node:path';

/** The checkout, as an absolute path without a slash at its end. */
export const ROOT = path.resolve(fileURLToPath(new URL('../..', import.meta.url)));

/** The built program. */
export const SERVER = path.join(ROOT, 'dist', 'cli.js');

const ON_WINDOWS = process.platform === 'win32';

/**
 * Runs a program in the checkout, its output being ours, and gives its exit status (128 and more after a signal).
 * @param {string} program
 * @param {readonly string[]} args
 * @param {{ env?: NodeJS.ProcessEnv, shell?: boolean }} [options]
 * @returns {Promise<number>}
 */
export function run(program, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd: ROOT, stdio: 'inherit', ...options });
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve(code ?? (signal === null ? 1 : 128)));
  });
}

/** Runs one of our scripts, or a JavaScript file of a package, with this Node. */
export const runNode = (file, args = [], options = {}) => run(process.execPath, [path.join(ROOT, file), ...args], options);

/** Ends this script with a line on standard error. */
export function fail(line) {
  process.stderr.write(`${line}\n`);
  process.exit(1);
}

/** Installs the packages of the lock file where that was never done, or was done for an older lock file. */
export async function installIfMissing() {
  if (isInstalled()) return;
  process.stderr.write('installing packages (npm ci)\n');
  // NODE_ENV=production would leave out the compiler and the test runner.
  const status = await run('npm', ['ci', '--include=dev', '--no-fund', '--no-audit'], { shell: ON_WINDOWS });
  if (status !== 0) fail(`npm ci ended with ${status}`);
}

/** npm writes node_modules/.package-lock.json when an installation is complete. */
function isInstalled() {
  const mark = path.join(ROOT, 'node_modules', '.package-lock.json');
  return existsSync(mark) && statSync(mark).mtimeMs >= statSync(path.join(ROOT, 'package-lock.json')).mtimeMs;
}

/** Builds dist/ (`--if-stale`: when a source is newer) and ends this script when that does not work. */
export async function build(...flags) {
  const status = await runNode('scripts/build.mjs', flags);
  if (status !== 0) fail('the build has errors (above)');
}
