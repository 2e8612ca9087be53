// Clocks, medians, and what Linux says of a process.
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

export const median = (values) => {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
};

/** Milliseconds that `work` takes. */
export async function timed(work) {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

/** Milliseconds of each of `count` repetitions, one after another. */
export async function repeat(count, work) {
  const times = [];
  for (let index = 0; index < count; index++) times.push(await timed(() => work(index)));
  return times;
}

/**
 * Medians of things that are to be compared: they take turns, so that a busy moment of the machine meets all of them.
 * @param {number} rounds
 * @param {number} perRound
 * @param {Record<string, () => Promise<unknown>>} works
 */
export async function compare(rounds, perRound, works) {
  const times = Object.fromEntries(Object.keys(works).map((name) => [name, []]));
  for (let round = 0; round <= rounds; round++) {
    for (const [name, work] of Object.entries(works)) {
      const taken = await repeat(perRound, work);
      if (round > 0) times[name].push(...taken); // the first round warms up
    }
  }
  return Object.fromEntries(Object.entries(times).map(([name, taken]) => [name, median(taken)]));
}

/** A number of kilobytes from /proc/PID/status, in bytes: VmRSS now, VmHWM at its highest. */
export function memoryBytes(pid, name) {
  const found = new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Number(found?.[1]) * 1_024;
}

export function bytesBelow(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true }).reduce((sum, entry) => {
    try {
      return sum + (entry.isFile() ? statSync(path.join(entry.parentPath, entry.name)).blocks * 512 : 0);
    } catch {
      return sum; // gone while we looked
    }
  }, 0);
}

/** An empty home with private directories, and the environment that goes with it. */
export function makeHome() {
  const folder = mkdtempSync(path.join(tmpdir(), 'shellkeep-bench-'));
  for (const name of ['home', 'tmp', 'run']) mkdirSync(path.join(folder, name), { mode: 0o700 });
  // Without this fish reads all manual pages in the background when it first starts.
  mkdirSync(path.join(folder, 'home/.local/share/fish/generated_completions'), { recursive: true });
  const env = { PATH: process.env['PATH'], HOME: path.join(folder, 'home'), TMPDIR: path.join(folder, 'tmp'), XDG_RUNTIME_DIR: path.join(folder, 'run'), LANG: 'C.UTF-8', SHELL: '/bin/bash', USER: 'bench' };
  return { folder, env, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** A program on pipes from its start to the end of its output, which is thrown away. */
export function runBare(file, args, env) {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
    child.stdout.resume();
    child.stderr.resume();
    child.once('error', reject);
    child.once('close', resolve);
  });
}

/** Milliseconds from the start of a server's process to its answer to tools/list. */
export async function timeToToolsList(args, env) {
  const startedAt = performance.now();
  const child = spawn(process.execPath, args, { env, stdio: ['pipe', 'pipe', 'ignore'] });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const send = (message) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const took = await new Promise((resolve) => {
    let text = '';
    let asked = false;
    child.stdout.setEncoding('utf8').on('data', (chunk) => {
      text += chunk;
      if (!asked && text.includes('\n')) {
        asked = true;
        text = text.slice(text.indexOf('\n') + 1);
        send({ method: 'notifications/initialized' });
        send({ id: 2, method: 'tools/list' });
      }
      if (asked && text.includes('\n')) resolve(performance.now() - startedAt);
    });
    send({ id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'bench', version: '0' } } });
  });
  child.stdin.end();
  await ended;
  return took;
}
