// How long one small thing takes: a command in a session, a one-shot, a task, the start of the server.
import path from 'node:path';
import { connect } from '../lib/connect.mjs';
import { ROOT, SERVER } from '../lib/steps.mjs';
import { BareShell } from './bare-shell.mjs';
import { compare, makeHome, median, runBare, timeToToolsList } from './measure.mjs';

const BARE_SERVER = path.join(ROOT, 'scripts', 'bench', 'bare-server.mjs');
export const SHELLS = ['bash', 'zsh', 'fish'];

/** At most this many times the floor. fish's floor is itself slow, so there is less to hide behind. */
const SESSION_TIMES_FLOOR = { bash: 3, zsh: 3, fish: 1.3 };

export const latency = {
  session_echo: { measure: sessionEcho },
  run_echo: { measure: runEcho },
  task: { measure: task },
  start: { measure: start },
};

async function sessionEcho(report) {
  await withPeers(async ({ home, server, bare }) => {
    for (const shell of SHELLS) {
      const floor = new BareShell({ shell, env: home.env, folder: home.folder });
      await floor.open();
      floor.prepare('echo hi');
      const { session_id } = await server.facts('session_create', { shell });
      const times = await compare(8, 50, {
        shell: () => floor.evaluate(),
        noop: () => bare.call('noop'),
        ours: () => server.call('session_run', { session_id, command: 'echo hi' }),
      });
      await floor.close();
      report(`session_echo_${shell}`, { value: times.ours, unit: 'ms', floor: times.shell + times.noop, timesFloor: SESSION_TIMES_FLOOR[shell] });
    }
  });
}

async function runEcho(report) {
  await withPeers(async ({ home, server, bare }) => {
    const times = await compare(8, 25, {
      spawn: () => runBare('bash', ['-c', 'echo hi'], home.env),
      noop: () => bare.call('noop'),
      ours: () => server.call('run', { command: 'echo hi', shell: 'bash' }),
    });
    report('run_echo', { value: times.ours, unit: 'ms', floor: times.spawn + times.noop, timesFloor: 1.5 });
  });
}

/** What a task costs over the time of its own command. */
async function task(report) {
  await withPeers(async ({ home, server }) => {
    const command = 'sleep 0.1';
    const times = await compare(4, 5, {
      spawn: () => runBare('bash', ['-c', command], home.env),
      ours: async () => {
        const { task_id } = await server.facts('task_spawn', { command, shell: 'bash' });
        const { finished } = await server.facts('task_poll', { task_id, wait_ms: 10_000 });
        if (!finished) throw new Error('the task has not ended');
      },
    });
    report('task_over_own_time', { value: times.ours - times.spawn, unit: 'ms', atMost: 5 });
  });
}

async function start(report) {
  const home = makeHome();
  const tools = await listTools(home, []);
  const taken = { bare: [], ours: [] };
  for (let round = 0; round < 16; round++) {
    const bare = await timeToToolsList([BARE_SERVER, String(tools.length)], home.env);
    const ours = await timeToToolsList([SERVER, 'stdio'], home.env);
    if (round === 0) continue; // the disk's cache is cold
    taken.bare.push(bare);
    taken.ours.push(ours);
  }
  const asText = await listTools(home, ['--results=text']);
  home.remove();
  report('start_to_tools_list', { value: median(taken.ours), unit: 'ms', floor: median(taken.bare), timesFloor: 1.3 });
  report('tools_list_bytes', { value: bytesOf({ tools }), unit: 'bytes', atMost: 40_000 });
  report('tools_list_bytes_text_results', { value: bytesOf({ tools: asText }), unit: 'bytes', atMost: 24_000 });
  report('tools_list_bytes_of_names_descriptions_inputs', { value: bytesOf(tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }))), unit: 'bytes', atMost: 18_000 });
}

async function listTools(home, flags) {
  const server = await connect({ args: ['stdio', ...flags], env: home.env });
  const { tools } = await server.client.listTools();
  await server.close();
  return tools;
}

const bytesOf = (value) => Buffer.byteLength(JSON.stringify(value));

/** Our server, a bare one and a home for both. */
async function withPeers(use) {
  const home = makeHome();
  const server = await connect({ env: home.env });
  const bare = await connect({ file: BARE_SERVER, args: [], env: home.env });
  try {
    await use({ home, server, bare });
  } finally {
    await Promise.all([server.close(), bare.close()]);
    home.remove();
  }
}
