// Much output: how fast, in how much memory, on how much disk.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { BareShell } from './bare-shell.mjs';
import { SHELLS } from './latency.mjs';
import { bytesBelow, median, memoryBytes, repeat, runBare, timed } from './measure.mjs';
import { withServer } from './own-server.mjs';

const MB = 1e6;
/** `seq 1 5000000`. */
const SEQ = { command: 'seq 1 5000000', bytes: 38_888_896 };
const ONE_SHOT_BYTES = 50 * MB;
const BIG_BYTES = 5_000 * MB;
const MAX_MEMORY_MB = 200;
const TIMEOUT_MS = 600_000;

export const throughput = {
  session_seq: { measure: sessionSeq },
  run_50mb: { measure: run50mb },
  session_5gb: { measure: session5gb, isBig: true },
};

async function sessionSeq(report) {
  for (const shell of SHELLS) {
    await withServer(async ({ home, server }) => {
      const bare = await bareSeq(shell, home);
      const { session_id } = await server.facts('session_create', { shell });
      const [, ...taken] = await repeat(4, async () => {
        const { exit_code, output_bytes } = await server.facts('session_run', { session_id, command: SEQ.command, timeout_ms: TIMEOUT_MS });
        if (exit_code !== 0 || output_bytes < SEQ.bytes) throw new Error(`code ${exit_code}, ${output_bytes} bytes`);
      });
      report(`session_seq_${shell}`, {
        value: perSecond(SEQ.bytes, taken), unit: 'MB/s', floor: bare.asItIs, shareOfFloor: 0.85, ...(shell === 'fish' ? {} : { atLeast: 60 }),
      });
      report(`session_seq_${shell}_bare_without_onlcr`, { value: bare.quiet, unit: 'MB/s' });
      report(`session_seq_${shell}_peak_memory`, { value: memoryBytes(server.pid, 'VmHWM') / MB, unit: 'MB', atMost: MAX_MEMORY_MB });
    });
  }
}

/** The same through a bare node-pty: as a terminal is, and without the kernel's translation of each newline. */
async function bareSeq(shell, home) {
  const speeds = [];
  for (const quietNewlines of [false, true]) {
    const bare = new BareShell({ shell, env: home.env, folder: home.folder });
    await bare.open({ quietNewlines });
    bare.prepare(SEQ.command);
    const [, ...taken] = await repeat(4, () => bare.evaluate());
    await bare.close();
    speeds.push(perSecond(SEQ.bytes, taken));
  }
  return { asItIs: speeds[0], quiet: speeds[1] };
}

async function run50mb(report) {
  await withServer(async ({ home, server }) => {
    const file = path.join(home.folder, 'fifty');
    writeFileSync(file, `${'shellkeep keeps real shells alive'.padEnd(49)}\n`.repeat(ONE_SHOT_BYTES / 50));
    const [, ...bare] = await repeat(6, () => runBare('cat', [file], home.env));
    const [, ...taken] = await repeat(6, async () => {
      const { exit_code, stdout_bytes } = await server.facts('run', { command: `cat '${file}'`, timeout_ms: TIMEOUT_MS });
      if (exit_code !== 0 || stdout_bytes !== ONE_SHOT_BYTES) throw new Error(`code ${exit_code}, ${stdout_bytes} bytes`);
    });
    report('run_50mb', { value: perSecond(ONE_SHOT_BYTES, taken), unit: 'MB/s', floor: perSecond(ONE_SHOT_BYTES, bare), atLeast: 300 });
    report('run_50mb_peak_memory', { value: memoryBytes(server.pid, 'VmHWM') / MB, unit: 'MB', atMost: MAX_MEMORY_MB });
  });
}

async function session5gb(report) {
  await withServer(async ({ home, server }) => {
    const { session_id } = await server.facts('session_create', { shell: 'bash' });
    const taken = await timed(async () => {
      const { state, exit_code, output_bytes } = await server.facts('session_run', { session_id, command: `yes | head -c ${BIG_BYTES}`, timeout_ms: TIMEOUT_MS });
      if (state !== 'done' || exit_code !== 0 || output_bytes < BIG_BYTES) throw new Error(`${state}, code ${exit_code}, ${output_bytes} bytes`);
    });
    report('session_5gb', { value: perSecond(BIG_BYTES, [taken]), unit: 'MB/s' });
    report('session_5gb_peak_memory', { value: memoryBytes(server.pid, 'VmHWM') / MB, unit: 'MB', atMost: MAX_MEMORY_MB });
    report('session_5gb_disk', { value: bytesBelow(home.folder) / MB, unit: 'MB', atMost: 2_200 });
    const { output } = await server.facts('session_run', { session_id, command: 'echo alive' });
    if (!output.includes('alive')) throw new Error('the session does not answer');
  });
}

/** Megabytes a second at the median of the times in ms. */
const perSecond = (bytes, taken) => bytes / MB / (median(taken) / 1_000);
