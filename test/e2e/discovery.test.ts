// The tools that look at the machine and at the server, over the built program: each answer next to what the shell itself says.
import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { withServer, type Harness } from '../support/harness.ts';
import { findProgram, forEachShell, type TestedShell } from '../support/shells.ts';
import { familyOf, running, tagOf, uniqueSeconds, untilRunning } from './support.ts';

/** Each answer has the id of its entry in the audit log. */
const RECORDED = { audit_id: expect.stringMatching(/^a_\w{12}$/) as string };

/** Makes one name each kind of thing, and hides things by others. */
const SET_UP: Readonly<Record<TestedShell, string>> = {
  bash: `alias aliased=ls; alias if=true; alias both=true; defined() { :; }; both() { :; }; cd() { builtin cd "$@"; }; ls() { command ls "$@"; }; function [[ { :; }; alias test=true
alias -- -dash=true`,
  zsh: `alias aliased=ls; alias if=true; alias both=true; alias -g global='| cat'; defined() { :; }; both() { :; }; cd() { builtin cd "$@"; }; ls() { command ls "$@"; }; alias test=true; autoload -Uz loaded
alias -- -dash=true`,
  fish: `alias aliased ls; function defined; end; function both; end; alias both true; function cd; builtin cd $argv; end; function ls; command ls $argv; end`,
};
const NAMES = ['aliased', 'if', 'then', 'both', 'global', 'defined', 'cd', 'pwd', 'ls', 'test', '[', '[[', 'loaded', 'echo', 'mine', 'sh', 'env', 'no-such-name', '-dash', 'coproc', 'repeat', 'contains', 'exec', 'time', '!', '{', ':', '.', 'é'];

const POSIX_PATHS = ['export PATH=', 'unset PATH', 'export PATH=:/bin', 'export PATH=/bin:', 'export PATH=bin:/bin', 'export PATH=./bin', 'export PATH=/missing'];
const SEARCH_PATHS: Readonly<Record<TestedShell, readonly string[]>> = {
  bash: POSIX_PATHS,
  zsh: POSIX_PATHS,
  fish: ['set -e PATH', 'set -gx PATH "" /bin', 'set -gx PATH bin /bin', 'set -gx PATH ./bin', 'set -gx PATH /missing'],
};

/** Prints what the shell takes one name for. */
const SAYS: Readonly<Record<TestedShell, (name: string) => string>> = {
  bash: (name) => `type -t -- '${name}'`,
  zsh: (name) => `whence -w -- '${name}' | sed 's/.*: //'`,
  fish: (name) => `type -t -- '${name}' 2>/dev/null`,
};
/** The words of the three shells in ours. */
const KIND: Readonly<Record<string, string>> = { keyword: 'builtin', reserved: 'builtin', 'global alias': 'alias', command: 'file', hashed: 'file', none: 'missing', '': 'missing' };

forEachShell((shell) => {
  test('a name is what the shell of the session takes it for, whatever stands behind it (R176)', async () => {
    await withServer({}, async (server) => {
      const session = await server.openSession(shell);
      const bin = path.join(server.process.home.dir, 'bin');
      program(path.join(bin, 'mine'), 'echo "mine 1.2"');
      await session.run(SET_UP[shell], { dangerous: true });
      await session.run(shell === 'fish' ? `set -gx PATH ${bin} $PATH` : `export PATH="${bin}:$PATH"`);
      const ours: Record<string, unknown> = {};
      const theirs: Record<string, unknown> = {};
      for (const name of NAMES) {
        const said = String((await session.run(SAYS[shell](name))).output).trim();
        theirs[name] = KIND[said] ?? said;
        ours[name] = (await server.facts('which', { name, session_id: session.id }))['kind'];
      }
      expect(ours).toEqual(theirs);
      expect(await server.facts('which', { name: 'mine', session_id: session.id })).toEqual({ ...RECORDED, name: 'mine', exists: true, kind: 'file', path: path.join(bin, 'mine'), version: 'mine 1.2' });
      expect(await server.facts('which', { name: 'mine' })).toEqual({ ...RECORDED, name: 'mine', exists: false, kind: 'missing' });
      expect(await server.facts('which', { name: 'aliased', session_id: session.id })).toEqual({ ...RECORDED, name: 'aliased', exists: true, kind: shell === 'fish' ? 'function' : 'alias' });
    });
  });

  test('with any $PATH a program is found where the shell finds it', async () => {
    await withServer({}, async (server) => {
      for (const [folder, name] of [['.', 'in-here'], ['bin', 'in-bin']] as const) program(path.join(server.process.home.dir, folder, name), '');
      for (const command of SEARCH_PATHS[shell]) {
        const session = await server.openSession(shell, { cwd: server.process.home.dir });
        await session.run(command);
        for (const name of ['in-here', 'in-bin', 'sh']) {
          const { output } = await session.run({ bash: `type -t ${name}`, zsh: `whence -w ${name}`, fish: `command -v ${name} >/dev/null; and echo file` }[shell]); // `type` of fish knows no path but $PATH
          const said = String(output).trim().replace(/^.*: /, '');
          expect([command, name, (await server.facts('which', { name, session_id: session.id }))['kind']]).toEqual([command, name, KIND[said] ?? said]);
        }
      }
    });
  });

  test('looking up a name works while a command runs, and nobody sees it in the session', async () => {
    await withServer({}, async (server) => {
      const session = await server.openSession(shell);
      await session.run(SET_UP[shell], { dangerous: true });
      const slow = uniqueSeconds();
      await session.run(`sleep ${slow}`, { timeout_ms: 1 });
      await untilRunning(`sleep ${slow}`, 1);
      const transcript = async () => (await session.read({ view: 'transcript' })).output;
      const before = await transcript();
      expect(await server.facts('which', { name: 'defined', session_id: session.id })).toMatchObject({ kind: 'function' });
      expect(await server.facts('which', { name: 'env', session_id: session.id })).toMatchObject({ kind: 'file' });
      expect(await server.facts('session_list')).toMatchObject({ sessions: [{ state: 'running', commands_run: 2 }] });
      expect(await transcript()).toBe(before);
      await session.interrupt();
      expect(await session.run('echo still there')).toMatchObject({ output: 'still there\n', exit_code: 0 });
      await session.run('exit 3');
      expect(await server.facts('which', { name: 'defined', session_id: session.id })).toMatchObject({ kind: 'function' });
    });
  });
});

test('a session that is gone, and one that is only being started, have no names', async () => {
  await withServer({}, async (server) => {
    const session = await server.openSession('bash');
    await session.destroy();
    expect((await server.callTool('which', { name: 'ls', session_id: session.id })).facts.error).toMatchObject({ code: 'SESSION_NOT_FOUND' });
    server.process.home.writeRc('bash', `until [ -e "$HOME/go" ]; do sleep 0.02; done`);
    const opening = server.openSession('bash');
    await expect.poll(async () => (await server.facts('session_list'))['count']).toBe(1);
    const { sessions } = (await server.facts('session_list')) as { sessions?: { session_id: string }[] };
    const answer = await server.callTool('which', { name: 'ls', session_id: sessions?.[0]?.session_id ?? '' });
    expect(answer.facts.error).toMatchObject({ code: 'SESSION_BUSY', message: expect.stringContaining('is being started') as string });
    server.process.home.write('go', '');
    await opening;
  });
});

test('what is no name is refused with what is wrong with it', async () => {
  await withServer({}, async (server) => {
    for (const [name, message] of [
      ['bin/ls', /is "bin\/ls", which is a path/],
      ['/bin/ls', /which is a path/],
      ['', /is empty/],
      ['ls\nrm', /control character/],
      ['ls\0', /control character/],
      ['x'.repeat(10_000), /has 10000 bytes; at most 255/],
    ] as const) {
      for (const [tool, args] of [['which', { name }], ['list_binaries', { names: ['ls', name] }]] as const) {
        const { facts, text } = await server.callTool(tool, args);
        expect(facts.error).toMatchObject({ code: 'INVALID_ARGUMENT', message: expect.stringMatching(message) as string });
        expect(text.length).toBeLessThan(400);
      }
    }
    const tooMany = await server.callTool('list_binaries', { names: Array.from({ length: 201 }, (_, index) => `n${index}`) });
    expect(tooMany.facts.error).toMatchObject({ code: 'INVALID_ARGUMENT', message: expect.stringContaining('200') as string });
    expect(await server.facts('list_binaries', { names: [] })).toEqual({ ...RECORDED, binaries: [], count: 0 });
  });
});

test('names that a shell would read otherwise are only names', async () => {
  await withServer({}, async (server) => {
    const names = ['-rf', '--version', '$(touch PWN)', '`touch PWN`', 'a b', '*', '~', "it's", ';reboot', '&', 'é'];
    const bin = path.join(server.process.home.dir, 'bin');
    for (const name of names) program(path.join(bin, name), 'echo "$0 $*"');
    await withServer({ env: { PATH: `${bin}:/usr/bin:/bin` } }, async (odd) => {
      expect(await odd.facts('list_binaries', { names })).toEqual({
        ...RECORDED,
        binaries: [...names].sort().map((name) => ({ name, exists: true, path: path.join(bin, name), version: `${bin}/${name} --version` })),
        count: names.length,
      });
    });
    expect(() => statSync(path.join(process.cwd(), 'PWN'))).toThrow('ENOENT');
  });
});

test('the machine is described as it says itself, with the names of variables and never a value (R174)', async () => {
  await withServer({ env: { MY_TOKEN: 'hunter2hunter2', LC_ALL: 'C.UTF-8' } }, async (server) => {
    const { facts, text } = await server.callTool('check_env');
    const uname = String((await server.facts('run', { command: 'uname -s -r; uname -m; id -un; node --version' })).stdout).trim().split('\n');
    const [kernel, arch, user, node] = uname;
    expect(facts).toMatchObject({ kernel, arch, user, node, wsl: false, home: server.process.home.dir, locale: 'C.UTF-8' });
    expect(facts['os']).toBe(/^PRETTY_NAME="?([^"\n]*)/m.exec(readFileSync('/etc/os-release', 'utf8'))?.[1]);
    const keys = String((await server.facts('run', { command: `env -0 | cut -z -d= -f1 | tr '\\0' '\\n' | grep -vxE 'SHLVL|_|PWD|OLDPWD' | LC_ALL=C sort` })).stdout).trim().split('\n');
    expect(facts['env_keys']).toEqual(keys);
    expect(facts['env_keys']).toContain('MY_TOKEN');
    expect(text + JSON.stringify(facts)).not.toContain('hunter2');
    expect(facts['path_entries']).toEqual(server.process.home.environment()['PATH']?.split(':'));
    const shells = facts['shells'] as { name: string; version?: string; default: boolean }[];
    expect(shells.filter((each) => each.default).map(({ name }) => name)).toEqual(['bash']);
    for (const { name, version } of shells.filter(({ name }) => name !== 'sh')) expect((await server.facts('session_create', { shell: name }))['shell_version']).toBe(version);
  });
});

test.each([
  ['the setting', { args: ['--shell', 'zsh'] }, 'zsh'],
  ['$SHELL', { env: { SHELL: findProgram('fish') ?? '' } }, 'fish'],
])('the default shell is that of %s', async (_, options, expected) => {
  if (findProgram(expected) === undefined) return;
  await withServer(options, async (server) => {
    const { shells } = (await server.facts('check_env')) as { shells?: { name: string; default: boolean }[] };
    expect(shells?.filter((shell) => shell.default).map(({ name }) => name)).toEqual([expected]);
  });
});

test('the well-known programs are listed, installed ones first, and leave nothing running (R175)', async () => {
  await withServer({}, async (server) => {
    const { facts, text } = await server.callTool('list_binaries');
    const binaries = facts['binaries'] as { name: string; exists: boolean; path?: string; version?: string }[];
    expect([facts['count'], binaries.length >= 37]).toEqual([binaries.length, true]);
    const installed = binaries.filter(({ exists }) => exists);
    expect(binaries.slice(0, installed.length)).toEqual(installed);
    for (const group of [installed, binaries.slice(installed.length)]) expect(group.map(({ name }) => name)).toEqual(group.map(({ name }) => name).sort());
    for (const { name, path: found } of installed) expect(found).toBe(findProgram(name));
    expect(installed.find(({ name }) => name === 'node')?.version).toBe(process.version);
    expect(text).toContain(`node · ${findProgram('node')} · ${process.version}`);
    const left = familyOf(await tagOf(server)).filter(({ pid, parent }) => pid !== server.pid && parent !== server.pid);
    expect(left).toEqual([]);
  });
});

test('of twenty calls at once eight run and twelve wait, runs and probes together (R169, R170)', async () => {
  await withServer({}, async (server) => {
    const slow = uniqueSeconds();
    const bin = path.join(server.process.home.dir, 'bin');
    program(path.join(bin, 'slow'), `exec sleep ${slow}`);
    await withServer({ env: { PATH: `${bin}:${process.env['PATH'] ?? ''}` } }, async (other) => {
      const probe = other.facts('which', { name: 'slow' });
      await untilRunning(`sleep ${slow}`, 1);
      const runs = Array.from({ length: 19 }, () => other.facts('run', { command: `sleep ${slow}`, timeout_ms: 60_000 }));
      await untilRunning(`sleep ${slow}`, 8);
      expect(await concurrencyOf(other)).toEqual({ max: 8, active: 8, queued: 12 });
      const all = Promise.all(runs).then((results) => results.map(({ exit_code: code }) => code));
      for (let hasEnded = false; !hasEnded;) {
        for (const { pid } of running(`sleep ${slow}`)) process.kill(pid, 'SIGTERM');
        hasEnded = await Promise.race([all.then(() => true), sleep(50, false)]); // the next ones are being started
      }
      expect(await all).toEqual(runs.map(() => 143));
      expect(await probe).toEqual({ ...RECORDED, name: 'slow', exists: true, kind: 'file', path: path.join(bin, 'slow') });
      expect(running(`sleep ${slow}`)).toEqual([]);
      expect(await concurrencyOf(other)).toEqual({ max: 8, active: 0, queued: 0 });
    });
  });
});

async function concurrencyOf(server: Harness): Promise<unknown> {
  return (await server.facts('status'))['concurrency'];
}

test('the status counts what the server holds, and shows each setting with its origin (R171, R177)', async () => {
  await withServer({ args: ['--max-tasks', '1', '--idle-timeout-s=900'], env: { SHELLKEEP_OUTPUT_DISK_BYTES: '1000000' } }, async (server) => {
    await server.openSession('bash');
    for (const command of ['seq 1 100000; sleep 600', 'true']) await server.facts('task_spawn', { command });
    await expect.poll(async () => (await server.facts('status'))['output']).toMatchObject({ bytes_on_disk: expect.toSatisfy((bytes: number) => bytes > 0 && bytes <= 1_000_000) as number, limit_bytes: 1_000_000, disk_free_bytes: expect.any(Number) as number });
    const { facts, text } = await server.callTool('status');
    expect(facts).toMatchObject({
      service: 'shellkeep',
      pid: server.pid,
      concurrency: { max: 8, active: 0, queued: 0 },
      sessions: { active: 1, max: 64, idle_timeout_s: 900 },
      tasks: { running: 1, queued: 1, max: 1 },
      config: {
        max_tasks: { value: 1, origin: '--max-tasks' },
        output_disk_bytes: { value: 1_000_000, origin: 'SHELLKEEP_OUTPUT_DISK_BYTES' },
        max_sessions: { value: 64, origin: 'default' },
        shell: { origin: 'default' },
      },
    });
    const { tools } = await server.client.listTools();
    expect(facts['tools']).toEqual(tools.map(({ name }) => name));
    expect(facts['uptime_ms']).toBeGreaterThan(0);
    const rss = Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))?.[1]) * 1_024;
    expect(Math.abs(Number(facts['rss_bytes']) / rss - 1)).toBeLessThan(0.3);
    const [, watchdog] = /watchdog (\d+)/.exec(String(facts['containment'])) ?? [];
    expect(readFileSync(`/proc/${watchdog}/cmdline`, 'utf8')).toContain('watchdog');
    expect(text).toContain('max_tasks = 1 (--max-tasks)');
    expect(text).toContain('[tasks 1 of 1 · queued 1]');
  });
});

test('the version is that of the package (R178)', async () => {
  await withServer({}, async (server) => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
    expect((await server.facts('status'))['version']).toBe(version);
    expect(server.client.getServerVersion()?.version).toBe(version);
  });
});

test('a server is tried with run echo (R179)', async () => {
  await withServer({}, async (server) => {
    expect(await server.facts('run', { command: 'echo "is anybody there?"' })).toMatchObject({ stdout: 'is anybody there?\n', exit_code: 0 });
  });
});

test('secrets in settings are not shown', async () => {
  const token = `ghp_${'a1B2'.repeat(9)}`;
  await withServer({ args: ['--redact', 'hunter[0-9]+', '--allowed-roots', `/tmp:/tmp/${token}:/tmp/hunter22`] }, async (server) => {
    const { facts, text } = await server.callTool('status');
    expect(facts['config']).toMatchObject({ redact: { value: '1 (not shown)', origin: '--redact' }, allowed_roots: { value: ['/tmp', '/tmp/[redacted]', '/tmp/[redacted]'] } });
    expect(text + JSON.stringify(facts)).not.toMatch(/hunter|ghp_/);
  });
});

test('a program that the policy forbids is found and not started', async () => {
  await withServer({ args: ['--allowed-commands', 'git'] }, async (server) => {
    expect(await server.facts('list_binaries', { names: ['git', 'node'] })).toMatchObject({ binaries: [{ name: 'git', version: expect.stringMatching(/^git version/) as string }, { name: 'node', exists: true }] });
    expect(await server.facts('which', { name: 'node' })).not.toHaveProperty('version');
  });
});

function program(file: string, script: string, mode = 0o755): void {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, `#!/bin/sh\n${script}\n`);
  chmodSync(file, mode);
}
