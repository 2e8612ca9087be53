// The allowed roots as a client meets them: in every tool that starts something, in sessions that walk, and while directories are exchanged.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { withServer, type Facts, type Harness } from '../support/harness.ts';
import { Home } from '../support/home.ts';
import { removeAtEnd } from '../support/leftovers.ts';
import { forEachShell } from '../support/shells.ts';

interface Place {
  readonly home: Home;
  readonly proj: string;
  readonly outside: string;
}

/** A project in the home directory, which alone is a root, and a directory that is in none. */
function place(): Place {
  const home = new Home();
  removeAtEnd(home.root);
  const [proj, outside] = [path.join(realpathSync(home.dir), 'proj'), path.join(realpathSync(home.root), 'outside')];
  for (const folder of [path.join(proj, 'src'), outside]) mkdirSync(folder, { recursive: true });
  return { home, proj, outside };
}

function withRoots<T>({ home, proj }: Place, args: readonly string[], use: (server: Harness) => Promise<T>): Promise<T> {
  return withServer({ home, cwd: proj, args: ['--allowed-roots', home.dir, ...args] }, use);
}

/** What each tool that starts something says to this place. */
async function everywhere(server: Harness, args: Readonly<Record<string, unknown>>): Promise<Facts[]> {
  const results: Facts[] = [];
  for (const [tool, more] of [['run', { command: 'pwd' }], ['task_spawn', { command: 'pwd' }], ['session_create', { shell: 'bash' }]] as const) {
    results.push((await server.callTool(tool, { ...more, ...args })).facts);
  }
  return results;
}

test('runs, tasks and sessions have the same roots and the same project file (R109, R113, R122)', async () => {
  const where = place();
  symlinkSync(where.outside, path.join(where.proj, 'link'));
  await withRoots(where, [], async (server) => {
    for (const cwd of [where.outside, path.join(where.proj, 'link'), `${where.proj}/../../outside`, '/']) {
      for (const { error } of await everywhere(server, { cwd })) expect(error, cwd).toMatchObject({ code: 'INVALID_CWD', message: expect.stringContaining('outside the allowed roots') });
    }
    writeFileSync(path.join(where.proj, '.bash-mcp.toml'), 'mode = "replace"\nallowed_roots = ["src"]');
    for (const { error } of await everywhere(server, { cwd: where.proj })) expect(error).toMatchObject({ code: 'INVALID_CWD', hint: expect.stringContaining('.bash-mcp.toml') });
    for (const { cwd, warnings } of await everywhere(server, { cwd: '~/proj/src' })) expect([cwd, warnings]).toEqual([path.join(where.proj, 'src'), undefined]);
  });
});

test('a project file that adds roots, and one that is a named pipe, hold nobody up and are told of in every result (R119, T16, T19)', async () => {
  const where = place();
  const file = path.join(where.proj, '.shellkeep.toml');
  await withRoots(where, [], async (server) => {
    writeFileSync(file, 'mode = "extend"\nallowed_roots = ["/"]');
    for (const { cwd, warnings } of await everywhere(server, { cwd: where.proj })) expect([cwd, warnings]).toEqual([where.proj, [expect.stringContaining('is not trusted, so it adds no roots')]]);
    for (const { error } of await everywhere(server, { cwd: '/' })) expect(error?.code).toBe('INVALID_CWD');
    execFileSync('sh', ['-c', 'rm "$0" && mkfifo "$0"', file]);
    for (const { warnings } of await everywhere(server, {})) expect(warnings).toEqual([expect.stringContaining('is a named pipe, not a regular file')]); // the usual directory, too
    const { text } = await server.callTool('task_spawn', { command: 'true', cwd: where.proj });
    expect(text).toContain('is a named pipe');
  });
});

forEachShell((shell) => {
  test('a session that leaves the roots says so until it is back, and what is started beside it does, too', async () => {
    const where = place();
    await withRoots(where, [], async (server) => {
      const session = await server.openSession(shell, { cwd: where.proj });
      const outside = expect.stringContaining(`the session is in "${where.outside}", outside the allowed roots ("${realpathSync(where.home.dir)}")`);
      expect(await session.run('cd src')).not.toHaveProperty('warnings');
      expect((await session.run(`cd ${where.outside}`)).warnings).toEqual([outside]);
      expect((await session.run('true')).warnings).toEqual([outside]);
      expect(await server.facts('run', { command: 'pwd', session_id: session.id })).toMatchObject({ stdout: `${where.outside}\n`, warnings: [expect.stringContaining('outside the allowed roots')] });
      expect((await server.callTool('run', { command: 'pwd', session_id: session.id, cwd: '.' })).facts.error?.code).toBe('INVALID_CWD');
      expect(await session.run(`cd ${where.proj}`)).not.toHaveProperty('warnings');
    });
  });

  test('with cwd_policy "enforce" nothing but a cd back runs out there, also when its shell has ended', async () => {
    const where = place();
    await withRoots(where, ['--cwd-policy', 'enforce'], async (server) => {
      const session = await server.openSession(shell, { cwd: where.proj });
      const attempt = (command: string) => server.callTool('session_run', { session_id: session.id, command }).then(({ facts }) => facts);
      const refused = { code: 'INVALID_CWD', message: `session "${session.id}" is in "${where.outside}", outside the allowed roots`, hint: expect.stringContaining(`"cd '${where.proj}'" alone`) };
      await attempt(`cd ${where.outside}`);
      for (const command of ['touch x', `cd ${where.proj} && touch x`, 'cd /', `cd ${where.outside}`]) expect((await attempt(command)).error, command).toMatchObject(refused);
      expect((await server.callTool('run', { command: 'touch x', session_id: session.id })).facts.error?.code).toBe('INVALID_CWD');
      expect(existsSync(path.join(where.outside, 'x'))).toBe(false);
      expect(await attempt(`cd '${where.proj}'`)).toMatchObject({ exit_code: 0, cwd: where.proj });
      await attempt(shell === 'fish' ? `set -gx HOME ${where.outside}` : `export HOME=${where.outside}`);
      await attempt(`cd ${where.outside}`);
      expect((await attempt('cd ~')).error).toMatchObject(refused);
      await attempt(`cd '${where.proj}'`);
      expect(await attempt(`cd ${where.outside}; exit 3`)).toMatchObject({ state: 'ended', exit_code: 3 });
      expect(await attempt('pwd')).toMatchObject({ output: `${where.proj}\n` }); // as of the last prompt
    });
  });
});

test('where a session is the kernel says, not $PWD; and a project keeps its sessions', async () => {
  const where = place();
  writeFileSync(path.join(where.proj, '.shellkeep.toml'), 'mode = "replace"\nallowed_roots = ["."]');
  await withRoots(where, [], async (server) => {
    const session = await server.openSession('bash', { cwd: where.proj });
    expect((await session.run(`cd ${where.outside}; PWD=${where.proj}`, { dangerous: true })).warnings).toEqual([expect.stringContaining(`in "${where.outside}", outside`)]);
    expect((await session.run('cd ~')).warnings).toEqual([expect.stringContaining(`outside the allowed roots ("${where.proj}")`)]);
    expect((await session.run('cd / && sleep 1000', { timeout_ms: 300 })).warnings).toEqual([expect.stringContaining('the session is in "/", outside')]);
    expect((await session.interrupt()).warnings).toContainEqual(expect.stringContaining('outside the allowed roots'));
  });
});

const SWAPPER = `
  const { renameSync, symlinkSync, unlinkSync } = require('node:fs');
  const [place, outside] = process.argv.slice(1);
  process.stdout.write('swapping');
  const rest = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
  for (;;) { renameSync(place, place + '-moved'); symlinkSync(outside, place); unlinkSync(place); renameSync(place + '-moved', place); rest(Math.random() * 3); }`;

test('T13: while a directory is exchanged for a link again and again, nothing ever starts where the link leads', async () => {
  const where = place();
  const target = path.join(where.proj, 'src');
  const swapper = spawn(process.execPath, ['-e', SWAPPER, target, where.outside], { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    await once(swapper.stdout, 'data');
    await withRoots(where, [], async (server) => {
      const started: string[] = [];
      const attempt = async (tool: string, args: object): Promise<Facts> => (await server.callTool(tool, { cwd: target, ...args })).facts;
      const note = ({ error, stdout }: Facts): void => void (error === undefined ? started.push(stdout?.trim() ?? '') : expect(error.code).toBe('INVALID_CWD'));
      for (let round = 0; round < 150; round++) note(await attempt('run', { command: 'readlink /proc/self/cwd; touch here' }));
      for (let round = 0; round < 50; round++) {
        const task = await attempt('task_spawn', { command: 'readlink /proc/self/cwd; touch here' });
        note(task.error === undefined ? await server.facts('task_poll', { task_id: task.task_id, wait_ms: 10_000 }) : task);
      }
      for (let round = 0; round < 10; round++) {
        const session = await attempt('session_create', { shell: 'bash' });
        if (session.error !== undefined) continue;
        started.push((await server.facts('session_run', { session_id: session.session_id, command: 'readlink /proc/$$/cwd' })).output?.trim() ?? '');
        await server.facts('session_destroy', { session_id: session.session_id });
      }
      expect(started.filter((cwd) => cwd.startsWith(where.outside))).toEqual([]);
      expect(started.length).toBeGreaterThan(0);
    });
    expect(existsSync(path.join(where.outside, 'here'))).toBe(false);
  } finally {
    swapper.kill('SIGKILL');
    await once(swapper, 'exit');
  }
});
