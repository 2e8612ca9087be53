// The soak as a function: a server, a seed and a number of commands in, figures and everything that was wrong out.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Random, randomText } from './random.mjs';
import { STEPS, WEIGHTS } from './steps.mjs';
import { User } from './user.mjs';

const MAX_FILE_BYTES = 2_000_000;
const FILES = 24;
const DIRECTORIES = ['plain', 'with space', "quote's", 'ünïcødé 世界', 'dollar$HOME', '-dash'];
const MAX_WRONG = 20;
/** So many times over the run the server's memory is looked at. */
const SAMPLES = 10;
const SETTLE_MS = 1_500;

/**
 * @param {{ call: Function, facts: Function, pid: number }} server connected, with room for the sessions
 * @param {{ seed: number, commands: number, sessions: number, shells: readonly string[], onProgress?: (done: number) => void }} options
 */
export async function soak(server, { seed, commands, sessions, shells, onProgress = () => {} }) {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'shellkeep-soak-')));
  const wrong = [];
  const onWrong = (line) => wrong.length < MAX_WRONG && wrong.push(line);
  const random = new Random(seed);
  const world = { server, onWrong, files: makeFiles(random, folder), directories: makeDirectories(folder) };
  const users = Array.from({ length: sessions }, (_, index) => new User({ ...world, shell: shells[index % shells.length], random: new Random(seed * 1_000 + index + 1) }));
  const startedAt = performance.now();
  await openOnce(server, shells[0]);
  const before = look(server.pid);
  const memoryMb = [];
  try {
    await Promise.all(users.map((user) => user.open()));
    const counts = await runAll(users, commands, (done) => {
      onProgress(done);
      if (done >= (commands / SAMPLES) * (memoryMb.length + 1)) memoryMb.push(look(server.pid).memoryMb);
    });
    await checkList(server, sessions, onWrong);
    await Promise.all(users.map((user) => user.close()));
    await new Promise((resolve) => setTimeout(resolve, SETTLE_MS)); // what ends after its answer (watchers, timers) is given a moment
    const after = look(server.pid);
    if (after.descriptors > before.descriptors) onWrong(`${after.descriptors} descriptors are open, before there were ${before.descriptors}`);
    if (after.children > before.children) onWrong(`${after.children} child processes are left, before there were ${before.children}`);
    return { seed, commands: users.reduce((sum, { commandsRun }) => sum + commandsRun, 0), sessions, shells, seconds: (performance.now() - startedAt) / 1_000, steps: counts, before, memoryMb, after, wrong };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What a server starts with its first session (its watchdog, for one) belongs to what it is before the soak. */
async function openOnce(server, shell) {
  const { session_id } = await server.facts('session_create', { shell });
  await server.facts('session_destroy', { session_id });
}

/** All sessions at once, each with its own share of the commands and its own chance, so that the order between them does not matter. */
async function runAll(users, commands, onDone) {
  const counts = Object.fromEntries(Object.keys(STEPS).map((name) => [name, 0]));
  const share = Math.ceil(commands / users.length);
  await Promise.all(users.map(async (user) => {
    while (user.commandsRun < share) {
      const name = user.random.weighted(WEIGHTS);
      await STEPS[name](user);
      counts[name]++;
      onDone(users.reduce((sum, { commandsRun }) => sum + commandsRun, 0));
    }
  }));
  return counts;
}

async function checkList(server, sessions, onWrong) {
  const { count, sessions: listed } = await server.facts('session_list', {});
  if (count !== sessions) onWrong(`session_list has ${count} sessions, ${sessions} were opened`);
  const busy = listed.filter(({ state }) => state === 'running' || state === 'starting');
  if (busy.length > 0) onWrong(`${busy.length} sessions are busy after the last command`);
}

/** Memory in MB, open descriptors and child processes of the server; 0 where there is no /proc. */
function look(pid) {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const megabytes = (name) => Math.round(Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1]) / 1_024);
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
    return { memoryMb: megabytes('VmRSS'), peakMb: megabytes('VmHWM'), descriptors: readdirSync(`/proc/${pid}/fd`).length, children: children === '' ? 0 : children.split(' ').length };
  } catch {
    return { memoryMb: 0, peakMb: 0, descriptors: 0, children: 0 };
  }
}

function makeFiles(random, folder) {
  return Array.from({ length: FILES }, (_, index) => {
    const name = path.join(folder, `file ${index}`);
    const text = randomText(random, random.size(MAX_FILE_BYTES));
    writeFileSync(name, text);
    return { name, text };
  });
}

function makeDirectories(folder) {
  return DIRECTORIES.map((name) => {
    const directory = path.join(folder, name);
    mkdirSync(directory);
    return directory;
  });
}
