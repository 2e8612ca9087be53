// Disks that are full or cleaned up: what runs goes on, what cannot be started says so, and all is well when there is room again.
import { spawnSync } from 'node:child_process';
import { readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { withServer, type Harness } from '../support/harness.ts';
import { shells } from '../support/shells.ts';

/** A runtime directory of 256 KB in a mount namespace of the server's own. */
const SMALL_RUNTIME = ['unshare', '-rm', 'sh', '-c', 'mount -t tmpfs -o size=256k,mode=700 tmpfs "$XDG_RUNTIME_DIR" && exec "$@"', 'sh'];
const [program = '', ...args] = SMALL_RUNTIME;
const canMount = spawnSync(program, [...args, 'true'], { env: { ...process.env, XDG_RUNTIME_DIR: '/tmp' } }).status === 0;
const FILL = 'head -c 1000000 /dev/zero >> "$XDG_RUNTIME_DIR/filler" 2>/dev/null; echo filled';

/** Frees the disk that only the server and its children see. */
function makeRoom({ pid, process }: Harness): void {
  rmSync(path.join(`/proc/${pid}/root`, process.home.runtime, 'filler'));
}

test.runIf(canMount)('a full runtime directory is a clear error of each call that needs it, what lives is untouched, and with room all goes on', async () => {
  await withServer({ through: SMALL_RUNTIME }, async (server) => {
    const sessions = await Promise.all(shells().map((shell) => server.openSession(shell)));
    for (const session of sessions) await session.run('cd /tmp');
    const { task_id } = await server.facts('task_spawn', { command: 'read -r word; echo "got $word"', stdin: 'pipe', shell: 'bash' });
    expect(await sessions[0]?.run(FILL)).toMatchObject({ state: 'done', exit_code: 0, output: 'filled\n' });
    await server.facts('run', { command: FILL }); // the shell's own report had still found some room
    const refused = [
      ...shells().map((shell) => ({ name: 'session_create', args: { shell } })),
      { name: 'run', args: { command: 'touch ~/no', stdin: 'x'.repeat(20_000) } },
      { name: 'run', args: { command: `touch ~/no${' '.repeat(200_000)}`, dangerous: true } },
      { name: 'task_spawn', args: { command: `touch ~/no${' '.repeat(200_000)}`, dangerous: true } },
      ...sessions.map(({ id }) => ({ name: 'session_run', args: { session_id: id, command: `touch ~/no${' '.repeat(200_000)}`, dangerous: true } })),
    ];
    for (const { name, args: given } of refused) {
      const { facts } = await server.callTool(name, given);
      expect(facts.error, name).toMatchObject({ code: 'DISK_FULL', message: expect.stringMatching(/cannot be written.*ENOSPC/) as string, hint: expect.stringContaining('free space') as string });
    }
    for (const session of sessions) expect(await session.run('echo needs no more room'), session.id).toMatchObject({ output: 'needs no more room\n', exit_code: 0 });
    expect(await server.facts('run', { command: 'echo needs no file' })).toMatchObject({ stdout: 'needs no file\n' });
    await server.facts('task_write', { task_id, text: 'it\n' });
    expect(await server.facts('task_poll', { task_id, wait_ms: 5_000 })).toMatchObject({ stdout: 'got it\n', exit_code: 0 });
    makeRoom(server);
    for (const session of sessions) expect(await session.run('pwd')).toMatchObject({ output: '/tmp\n', exit_code: 0 });
    await (await server.openSession('bash')).run('echo new');
    expect(await server.facts('session_list')).toMatchObject({ count: sessions.length + 1 });
    expect(readdirSync(server.process.home.dir)).not.toContain('no');
    expect(server.process.stderr).toBe('');
  });
});

test.runIf(canMount)('a server that finds its runtime directory full says so in every call, and works when there is room', async () => {
  const full = SMALL_RUNTIME.map((part) => part.replace('&& exec', '&& head -c 1000000 /dev/zero >"$XDG_RUNTIME_DIR/filler" 2>/dev/null; exec'));
  await withServer({ through: full }, async (server) => {
    for (const [name, given] of [['run', { command: 'true' }], ['session_create', {}], ['task_spawn', { command: 'true' }], ['task_list', {}]] as const) {
      expect((await server.callTool(name, given)).facts.error, name).toMatchObject({ code: 'DISK_FULL' });
    }
    makeRoom(server);
    expect(await server.facts('run', { command: 'echo ok' })).toMatchObject({ stdout: 'ok\n' });
    expect(server.process.stderr).toBe('');
  });
});

test('whoever removes the runtime directory ends nothing: sessions, runs and tasks go on', async () => {
  await withServer({}, async (server) => {
    const sessions = await Promise.all(shells().map((shell) => server.openSession(shell)));
    for (const session of sessions) await session.run('cd /tmp; echo x >&2', { stderr: 'separate' });
    rmSync(server.process.home.runtime, { recursive: true });
    for (const session of sessions) {
      const shell = String(session.created['shell']);
      expect(await session.run('pwd'), shell).toMatchObject({ output: '/tmp\n', exit_code: 0 });
      expect(await session.run('echo out; echo err >&2', { stderr: 'separate', env: { A: 'b' } }), shell).toMatchObject({ output: 'out\n', stderr: 'err\n', exit_code: 0 });
      expect(await session.run('exit 3'), shell).toMatchObject({ state: 'ended', exit_code: 3 });
      expect(await session.run('pwd'), shell).toMatchObject({ output: '/tmp\n' });
    }
    expect(await server.facts('run', { command: 'cat', stdin: 'in' })).toMatchObject({ stdout: 'in', exit_code: 0 });
    expect(await server.facts('run', { command: `echo ${'x'.repeat(200_000)}`, dangerous: true, max_output_bytes: 10 })).toMatchObject({ stdout_bytes: 200_001, exit_code: 0 });
    await server.openSession('bash');
    expect(server.process.stderr).toBe('');
  });
});

test('the disk is full while output is spilled: the command goes on, and the result says what is missing', async () => {
  const limited = ['bash', '-c', 'ulimit -S -f 1024; exec "$@"', 'bash']; // no file over 1 MiB
  await withServer({ through: limited }, async (server) => {
    const seq = 'seq 1 400000; echo end; exit 7'; // 2,688,899 bytes
    const missing = expect.arrayContaining([expect.stringMatching(/file too large: [\d,]+ bytes of the output are missing/)]) as string[];
    expect(await server.facts('run', { command: seq, max_output_bytes: 200 })).toMatchObject({ exit_code: 7, stdout_bytes: 2_688_899, truncated: true, stdout: expect.stringMatching(/^1\n2\n[^]*\n400000\nend\n$/) as string, warnings: missing });
    const { task_id } = await server.facts('task_spawn', { command: seq });
    expect(await server.facts('task_wait', { task_ids: [task_id] })).toMatchObject({ tasks: [{ exit_code: 7, finished: true, warnings: missing }] });
    const session = await server.openSession('bash');
    expect(await session.run('seq 1 400000; echo end; (exit 7)', { max_output_bytes: 200 })).toMatchObject({ state: 'done', exit_code: 7, output: expect.stringMatching(/\n400000\nend\n$/) as string, warnings: missing });
    expect(await session.run('echo ok')).toMatchObject({ output: 'ok\n' });
  });
});
