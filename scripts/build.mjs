// npm run build: src/ to dist/. tsc compiles what changed, the shell integration files are copied, the command gets its execute bit.
// --if-stale does nothing when dist/ is newer than all of src/; --loose takes type errors for warnings (the code is emitted all the same).
import { chmodSync, copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fail, ROOT, run, SERVER } from './lib/steps.mjs';

const SOURCE = path.join(ROOT, 'src');
const TARGET = path.join(ROOT, 'dist');
/** In dist/, so that whoever removes dist/ removes what tsc believes about it too. */
const BUILD_INFO = path.join(TARGET, '.tsbuildinfo');
const STAMP = path.join(TARGET, '.built');
const LOCK = path.join(ROOT, 'node_modules', '.shellkeep-build');
const LOCK_WAIT_MS = 60_000;

const flags = new Set(process.argv.slice(2));
if (!(flags.has('--if-stale') && isFresh())) await locked(build);

async function build() {
  if (flags.has('--if-stale') && isFresh()) return; // another build did it while we waited
  const startedAt = new Date();
  const status = await run(process.execPath, [
    path.join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc'),
    '-p', path.join(ROOT, 'tsconfig.json'), '--incremental', '--tsBuildInfoFile', BUILD_INFO, '--pretty', 'false',
  ]);
  copyAssets();
  removeOrphans();
  if (existsSync(SERVER)) makeExecutable(SERVER);
  writeFileSync(STAMP, JSON.stringify({ builtAt: startedAt.getTime(), isClean: status === 0 }));
  if (status !== 0 && !flags.has('--loose')) process.exitCode = 1;
}

/** Whether the last build began after the newest change of a source, so that nothing can have slipped in between. */
function isFresh() {
  if (!existsSync(STAMP) || !existsSync(SERVER)) return false;
  const { builtAt, isClean } = readStamp();
  if (!isClean && !flags.has('--loose')) return false;
  const inputs = [...filesBelow(SOURCE), path.join(ROOT, 'tsconfig.json'), path.join(ROOT, 'package.json')];
  return inputs.every((file) => statSync(file).mtimeMs < builtAt);
}

function readStamp() {
  try {
    return JSON.parse(readFileSync(STAMP, 'utf8'));
  } catch {
    return { builtAt: 0, isClean: false }; // a build was cut off
  }
}

function filesBelow(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
}

/**
 * Everything in src/ that tsc does not compile is needed as it is beside the compiled files. What is the same stays untouched:
 * a server that starts at this moment would read half of it.
 */
function copyAssets() {
  for (const file of filesBelow(SOURCE).filter((name) => !name.endsWith('.ts'))) {
    const copy = path.join(TARGET, path.relative(SOURCE, file));
    if (existsSync(copy) && readFileSync(copy).equals(readFileSync(file))) continue;
    mkdirSync(path.dirname(copy), { recursive: true });
    copyFileSync(file, copy);
  }
}

/** tsc leaves the output of a source that is gone; it would be shipped, and could still be imported. */
function removeOrphans() {
  if (!existsSync(TARGET)) return;
  for (const file of filesBelow(TARGET).filter((name) => !path.basename(name).startsWith('.'))) {
    const source = path.join(SOURCE, path.relative(TARGET, file));
    if (!existsSync(source) && !existsSync(source.replace(/\.js$/, '.ts'))) rmSync(file);
  }
}

/** cli.ts carries the `#!` line; tsc keeps it, but not the execute bit that `bin` needs. */
function makeExecutable(file) {
  if (!readFileSync(file, 'utf8').startsWith('#!')) writeFileSync(file, `#!/usr/bin/env node\n${readFileSync(file, 'utf8')}`);
  chmodSync(file, 0o755);
}

/** Two builds at once would write the same files; the second one waits for the first. */
async function locked(work) {
  const deadline = Date.now() + LOCK_WAIT_MS;
  while (!takeLock()) {
    if (Date.now() > deadline) fail(`another build holds ${path.relative(ROOT, LOCK)} for over a minute; remove it if none runs`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  try {
    await work();
  } finally {
    rmSync(LOCK, { force: true });
  }
}

function takeLock() {
  try {
    writeFileSync(LOCK, String(process.pid), { flag: 'wx' });
    return true;
  } catch {
    if (!isHolderAlive()) rmSync(LOCK, { force: true });
    return false;
  }
}

function isHolderAlive() {
  try {
    const text = readFileSync(LOCK, 'utf8');
    if (text === '') return true; // just being written
    process.kill(Number(text), 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}
