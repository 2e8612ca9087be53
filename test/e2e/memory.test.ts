// However much comes out, the server's memory is bounded, and it listens to others meanwhile.
import { expect, test } from 'vitest';
import { withServer, type Harness } from '../support/harness.ts';
import { peakMemoryMb } from './support.ts';

const PEAK_MB = 200;

/** 200 MB of lines: 25 million times "1234567\n". */
const FLOOD = 'yes 1234567 | head -c 200000000';

async function isListening(server: Harness): Promise<void> {
  const from = performance.now();
  await server.facts('session_list');
  expect(performance.now() - from).toBeLessThan(1_000);
}

test('200 MB through a run, a task and a session at once: exact counts, head and tail, and never 200 MB of memory', { timeout: 60_000 }, async () => {
  await withServer({ args: ['--output-disk-bytes', '100000000'] }, async (server) => {
    const session = await server.openSession('bash');
    const { task_id } = await server.facts('task_spawn', { command: `${FLOOD}; echo end`, shell: 'bash' });
    const both = Promise.all([
      server.facts('run', { command: `${FLOOD}; echo end`, timeout_ms: 60_000, max_output_bytes: 300 }),
      session.run(`${FLOOD}; echo end`, { timeout_ms: 60_000, max_output_bytes: 300 }),
    ]);
    await isListening(server);
    const [run, inSession] = await both;
    const ends = expect.stringMatching(/^(1234567\n)+\[… .*bytes left out.*\]\n(1234567\n)+end\n$/) as string;
    expect(run).toMatchObject({ exit_code: 0, stdout_bytes: 200_000_004, truncated: true, stdout: ends });
    expect(inSession).toMatchObject({ state: 'done', exit_code: 0, truncated: true, output: ends });
    const task = await server.facts('task_poll', { task_id, wait_ms: 60_000, stdout_cursor: -12 });
    expect(task).toMatchObject({ finished: true, exit_code: 0, stdout: '1234567\nend\n', stdout_cursor: 200_000_004 });
    expect(peakMemoryMb(server.pid)).toBeLessThan(PEAK_MB);
  });
});

test('B68, T46: an endless output in a session is interrupted in time, with bounded memory and a server that listens', async () => {
  await withServer({ args: ['--output-disk-bytes', '50000000'] }, async (server) => {
    const session = await server.openSession('bash');
    const from = performance.now();
    const hostile = session.run('yes', { timeout_ms: 2_000, on_timeout: 'interrupt' });
    for (let index = 0; index < 5; index++) await isListening(server);
    expect(await hostile).toMatchObject({ state: 'done', exit_code: 130, truncated: true, warnings: expect.arrayContaining(['interrupted after 2000 ms']) as string[] });
    expect(performance.now() - from).toBeLessThan(4_000);
    expect(await session.run('echo ok')).toMatchObject({ output: 'ok\n' });
    expect(peakMemoryMb(server.pid)).toBeLessThan(PEAK_MB);
  });
});

test('T44, T47: a sequence without end, a line of 50 MB and a million empty lines are counted exactly and do not stop the server', { timeout: 60_000 }, async () => {
  await withServer({}, async (server) => {
    const session = await server.openSession('bash');
    const flood = `printf '\\e]0;'; head -c 10000000 /dev/zero | tr '\\0' A; printf '\\a'; echo after`;
    expect(await session.run(flood, { max_output_bytes: 200 })).toMatchObject({ exit_code: 0, output: expect.stringMatching(/after\n$/) as string });
    expect(await server.facts('run', { command: `head -c 50000000 /dev/zero | tr '\\0' x`, max_output_bytes: 100 })).toMatchObject({ stdout_bytes: 50_000_000, truncated: true });
    const from = performance.now();
    expect(await server.facts('run', { command: `yes '' | head -n 1000000`, max_output_bytes: 100 })).toMatchObject({ stdout_bytes: 1_000_000, truncated: true });
    expect(performance.now() - from).toBeLessThan(5_000);
    expect(peakMemoryMb(server.pid)).toBeLessThan(PEAK_MB);
  });
});
