// Many sessions: how fast they open, how many commands a second they run, how much memory they take.
import { EventEmitter } from 'node:events';
import { BareShell } from './bare-shell.mjs';
import { SHELLS } from './latency.mjs';
import { median, memoryBytes, timed } from './measure.mjs';
import { withServer } from './own-server.mjs';

const COUNT = 100;
const COMMANDS = 20;
const ROUNDS = 3;
const LIMITS = { max_sessions: '2000' };

/** The SDK's client adds a listener for every call that waits for its socket. */
EventEmitter.defaultMaxListeners = 0;

/** The most that opening one of a hundred may take, in ms; fish against its own bare start. */
const OPEN = { bash: { atMost: 4 }, zsh: { atMost: 6 }, fish: { timesFloor: 1.3 } };
/** The least commands a second. */
const RATE = { bash: { atLeast: 1_500 }, zsh: { atLeast: 900 }, fish: { shareOfFloor: 0.7 } };

export const scale = {
  open_100: { measure: open100 },
  commands_100: { measure: commands100 },
  idle_memory: { measure: idleMemory },
  sessions_1000: { measure: sessions1000, isBig: true },
};

const many = (count, work) => Promise.all(Array.from({ length: count }, (_, index) => work(index)));

async function open100(report) {
  for (const shell of SHELLS) {
    await withLimits(async ({ home, server }) => {
      const taken = { bare: [], ours: [], single: [] };
      for (let round = 0; round <= ROUNDS; round++) {
        const shells = [];
        const bare = await timed(() => many(COUNT, (index) => openBare(shell, home, index).then((opened) => shells.push(opened))));
        await Promise.all(shells.map((opened) => opened.close()));
        const ids = [];
        const ours = await timed(() => many(COUNT, async () => ids.push((await server.facts('session_create', { shell })).session_id)));
        await many(COUNT, (index) => server.facts('session_destroy', { session_id: ids[index], grace_ms: 0 }));
        const single = await timed(async () => ids.push((await server.facts('session_create', { shell })).session_id));
        await server.facts('session_destroy', { session_id: ids.at(-1), grace_ms: 0 });
        if (round === 0) continue;
        taken.bare.push(bare / COUNT);
        taken.ours.push(ours / COUNT);
        taken.single.push(single);
      }
      report(`open_100_${shell}`, { value: median(taken.ours), unit: 'ms each', floor: median(taken.bare), ...OPEN[shell] });
      report(`open_1_${shell}`, { value: median(taken.single), unit: 'ms' });
    });
  }
}

async function commands100(report) {
  for (const shell of SHELLS) {
    await withLimits(async ({ home, server }) => {
      const bare = await many(COUNT, (index) => openBare(shell, home, index));
      for (const opened of bare) opened.prepare('echo hi');
      const sessions = await many(COUNT, () => server.facts('session_create', { shell }));
      const rates = { bare: [], ours: [] };
      for (let round = 0; round <= ROUNDS; round++) {
        const bareTaken = await timed(() => Promise.all(bare.map((opened) => inTurn(COMMANDS, () => opened.evaluate()))));
        const taken = await timed(() => Promise.all(sessions.map(({ session_id }) => inTurn(COMMANDS, () => answers(server, session_id)))));
        if (round === 0) continue;
        rates.bare.push((COUNT * COMMANDS) / (bareTaken / 1_000));
        rates.ours.push((COUNT * COMMANDS) / (taken / 1_000));
      }
      await Promise.all(bare.map((opened) => opened.close()));
      report(`commands_100x20_${shell}`, { value: median(rates.ours), unit: 'commands/s', floor: median(rates.bare), ...RATE[shell] });
    });
  }
}

/** What the second hundred adds: the first one has brought the server's heap to its working size. */
async function idleMemory(report) {
  await withLimits(async ({ server }) => {
    await many(COUNT, () => server.facts('session_create', { shell: 'bash' }));
    const before = memoryBytes(server.pid, 'VmRSS');
    await many(COUNT, () => server.facts('session_create', { shell: 'bash' }));
    const after = memoryBytes(server.pid, 'VmRSS');
    report('idle_session_memory', { value: (after - before) / COUNT / 1_000, unit: 'KB', atMost: 120 });
  });
}

async function sessions1000(report) {
  await withLimits(async ({ server }) => {
    const ids = [];
    const opened = await timed(async () => {
      for (let batch = 0; batch < 10; batch++) await many(COUNT, async () => ids.push((await server.facts('session_create', { shell: 'bash' })).session_id));
    });
    const answered = await timed(() => many(ids.length, (index) => answers(server, ids[index])));
    report('sessions_1000_open', { value: opened / ids.length, unit: 'ms each' });
    report('sessions_1000_answer', { value: ids.length / (answered / 1_000), unit: 'commands/s' });
    report('sessions_1000_memory', { value: memoryBytes(server.pid, 'VmRSS') / 1e6, unit: 'MB' });
  });
}

async function answers(server, session_id) {
  const { state, output, exit_code, warnings } = await server.facts('session_run', { session_id, command: 'echo hi' });
  if (exit_code !== 0 || output.trimEnd() !== 'hi') throw new Error(`${state}, code ${exit_code}, output ${JSON.stringify(output)}, warnings ${JSON.stringify(warnings)}`);
}

async function inTurn(count, work) {
  for (let index = 0; index < count; index++) await work();
}

async function openBare(shell, home, index) {
  const opened = new BareShell({ shell, env: home.env, folder: home.folder, name: String(index) });
  await opened.open();
  return opened;
}

/** A server that takes so many sessions. */
function withLimits(use) {
  return withServer(use, Object.entries(LIMITS).map(([name, value]) => `--${name.replaceAll('_', '-')}=${value}`));
}
