// The terminal as it is watched: how soon a waiting program is seen, what looking costs, and what control sequences cost.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { median, memoryBytes, repeat, timed } from './measure.mjs';
import { withServer } from './own-server.mjs';

const MB = 1e6;
const PROMPTS = 200;
const WAITING_CALLS = 50;
const WATCHED_MS = 5_000;
/** Long enough for the collection of the garbage that calls leave. */
const SETTLED_MS = 8_000;
const STREAM_BYTES = 100 * MB;
const TIMEOUT_MS = 600_000;

/** What keeps an emulator busy for minutes or takes gigabytes if its counts are not bounded. */
const BOMBS = ['999999999S', '999999999T', '999999999L', '999999999M', '999999999@', '999999999X', '999999999P', '999999999b'].map((sequence) => `printf '好\\033[${sequence}'`);

export const terminal = {
  awaiting: { measure: awaiting },
  looking: { measure: looking },
  escapes: { measure: escapes },
  bombs: { measure: bombs },
};

/** The prompt holds the time at which the program was about to block; it comes at a random moment after the call. */
async function awaiting(report) {
  await withServer(async ({ server }) => {
    const { session_id } = await server.facts('session_create', { shell: 'bash' });
    const taken = [];
    let wrong = 0;
    for (let round = 0; round < PROMPTS; round++) {
      const { state, awaiting: seen } = await server.facts('session_run', { session_id, command: `sleep 0.${String(100 + (round * 37) % 150).slice(1)}; read -p "$EPOCHREALTIME? " x` });
      const now = performance.timeOrigin + performance.now();
      if (state !== 'awaiting_input' || seen.kind !== 'line') wrong++;
      else taken.push(now - Number.parseFloat(seen.prompt) * 1_000);
      await server.facts('session_send', { session_id, text: '' });
    }
    const sorted = taken.sort((a, b) => a - b);
    report('awaiting_median', { value: median(sorted), unit: 'ms', atMost: 60 });
    report('awaiting_99th', { value: sorted[Math.floor(sorted.length * 0.99)], unit: 'ms', atMost: 150 });
    report('awaiting_missed', { value: wrong, unit: `of ${PROMPTS}`, atMost: 0 });
  });
}

/**
 * Processor time of the server while many calls wait for commands that sleep, in a part of their wait that has neither their begin
 * nor the collection of its garbage in it; the median of three such parts, since a collection may come late.
 */
async function looking(report) {
  await withServer(async ({ server }) => {
    const sessions = await Promise.all(Array.from({ length: WAITING_CALLS }, () => server.facts('session_create', { shell: 'bash' })));
    await Promise.all(sessions.map(({ session_id }) => server.facts('session_run', { session_id, command: 'sleep 100', timeout_ms: 1_000 })));
    const calls = Promise.all(sessions.map(({ session_id }) => server.facts('session_read', { session_id, timeout_ms: 30_000 })));
    await sleep(SETTLED_MS);
    const shares = [];
    for (let part = 0; part < 3; part++) shares.push((100 * (await cpuWhile(server.pid, () => sleep(WATCHED_MS)))) / WATCHED_MS);
    await calls;
    report('looking_share_of_a_core', { value: median(shares), unit: '%', atMost: 1 });
  });
}

async function cpuWhile(pid, work) {
  const before = cpuMs(pid);
  await work();
  return cpuMs(pid) - before;
}

/** Of all its threads. */
function cpuMs(pid) {
  const threads = readdirSync(`/proc/${pid}/task`).map((thread) => Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]));
  return threads.reduce((sum, nanoseconds) => sum + nanoseconds, 0) / 1e6;
}

async function escapes(report) {
  await withServer(async ({ home, server }) => {
    const plain = path.join(home.folder, 'plain');
    const coloured = path.join(home.folder, 'coloured');
    const line = '\x1b[32mok\x1b[0m \x1b[1;34msrc/some/file.ts\x1b[0m \x1b[2m12 ms\x1b[0m\n';
    writeFileSync(coloured, line.repeat(Math.floor(STREAM_BYTES / line.length)));
    writeFileSync(plain, `${'x'.repeat(line.length - 1)}\n`.repeat(Math.floor(STREAM_BYTES / line.length)));
    const { session_id } = await server.facts('session_create', { shell: 'bash' });
    const cat = (file) => timed(() => server.facts('session_run', { session_id, command: `cat '${file}'`, timeout_ms: TIMEOUT_MS }));
    const taken = { plain: [], coloured: [] };
    for (let round = 0; round < 4; round++) {
      taken.plain.push(await cat(plain));
      taken.coloured.push(await cat(coloured));
    }
    const views = await repeat(1, () => server.facts('session_read', { session_id, view: 'screen' }));
    report('escapes_100mb', { value: median(taken.coloured), unit: 'ms', floor: median(taken.plain), timesFloor: 1.3 });
    report('escapes_100mb_screen', { value: median(views), unit: 'ms', atMost: 300 });
  });
}

async function bombs(report) {
  await withServer(async ({ server }) => {
    const { session_id } = await server.facts('session_create', { shell: 'bash' });
    const look = () => server.facts('session_read', { session_id, view: 'screen' });
    await look(); // loads the emulator
    const before = memoryBytes(server.pid, 'VmRSS');
    const taken = [];
    for (const bomb of BOMBS) {
      await server.facts('session_run', { session_id, command: bomb });
      taken.push(await timed(look));
    }
    report('bombs_slowest', { value: Math.max(...taken), unit: 'ms', atMost: 50 });
    report('bombs_memory', { value: (memoryBytes(server.pid, 'VmRSS') - before) / MB, unit: 'MB', atMost: 20 });
  });
}
