// The audit log of the built program: what is in it while it works, after it was killed, and when it cannot be written.
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { HttpPeer } from '../audit/ship/http-peer.ts';
import { startServer, withServer, type Facts, type Harness, type Session } from '../support/harness.ts';
import { Home } from '../support/home.ts';
import { shells } from '../support/shells.ts';

let server: Harness;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

type Entry = Facts & { readonly audit_id: string; readonly kind: string; readonly tool?: string; readonly outcome?: string; readonly event?: string; readonly args?: Readonly<Record<string, unknown>> };

const directoryOf = (home: Home): string => path.join(home.dir, '.local/share/shellkeep/audit');

/** Everything that stands in the files. */
function textOf(home: Home): string {
  return readdirSync(directoryOf(home)).map((name) => readFileSync(path.join(directoryOf(home), name), 'utf8')).join('');
}

function linesOf(home: Home): Entry[] {
  return textOf(home).split('\n').filter((line) => line !== '').map((line) => JSON.parse(line) as Entry);
}

async function entriesOf(from: Harness, args: object = {}): Promise<Entry[]> {
  return (await from.facts('audit_read', { order: 'oldest', ...args }))['entries'] as Entry[];
}

/** A home that is there before the server, and is removed with the test. */
function preparedHome(): Home {
  const home = new Home();
  onTestFinished(() => rmSync(home.root, { recursive: true, force: true }));
  return home;
}

describe('every call has an entry with the id of its answer (R158)', () => {
  test('in one file for this user alone, a line of JSON each, with the time in UTC', async () => {
    const { audit_id: id } = await server.facts('run', { command: 'echo one' });
    const [file = '', ...more] = readdirSync(directoryOf(server.process.home));
    const modes = [directoryOf(server.process.home), path.join(directoryOf(server.process.home), file)].map((name) => statSync(name).mode & 0o777);
    expect([more, modes]).toEqual([[], [0o700, 0o600]]);
    const [start, end] = linesOf(server.process.home).filter(({ audit_id }) => audit_id === id);
    expect(start).toMatchObject({ v: 1, kind: 'start', outcome: 'started', tool: 'run', owner: 'local', client: { name: 'shellkeep-tests', version: '0' }, classification: 'safe', ts: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string });
    expect(end).toMatchObject({ kind: 'end', outcome: 'done', exit_code: 0, stdout_bytes: 4, stderr_bytes: 0 });
  });

  test('which is there before the command begins: it can read its own', async () => {
    for (const ask of [(command: string) => server.facts('run', { command }).then(({ stdout }) => stdout), async (command: string) => (await (await server.openSession('bash')).run(command)).output]) {
      const mark = `mark-${randomBytes(6).toString('hex')}`;
      expect(await ask(`grep -c '"kind":"start".*${mark}' ${directoryOf(server.process.home)}/*.jsonl`)).toMatch(/^[1-9]/);
    }
  });

  test('of those that were refused, failed or named no tool, too', async () => {
    const calls: readonly (readonly [string, object, object])[] = [
      ['run', { command: 'rm -rf /' }, { outcome: 'refused', error: 'FORBIDDEN_COMMAND', classification: 'reject' }],
      ['run', { command: 'kill -9 -1' }, { outcome: 'refused' }],
      ['run', { command: 'true', cwd: '/nowhere' }, { outcome: 'failed', error: 'INVALID_CWD' }],
      ['run', { comand: 'true' }, { outcome: 'failed', error: 'INVALID_ARGUMENT' }],
      ['session_run', { session_id: 's_missing', command: 'true' }, { outcome: 'failed', error: 'SESSION_NOT_FOUND', session_id: 's_missing' }],
      ['nonsense', {}, { outcome: 'failed', error: 'INVALID_ARGUMENT' }],
    ];
    for (const [tool, args, entry] of calls) {
      const { facts, isError } = await server.callTool(tool, { ...args });
      expect(isError).toBe(true);
      expect(linesOf(server.process.home).find(({ audit_id }) => audit_id === facts['audit_id'])).toMatchObject({ kind: 'call', tool, ...entry });
    }
  });

  test('a call that is cancelled, with how its command ended', async () => {
    const cancel = new AbortController();
    const release = path.join(server.process.home.dir, 'release');
    const call = server.callTool('run', { command: `mkfifo ${release}; echo cancel-me; cat ${release}; exit 4` }, { signal: cancel.signal });
    await expect.poll(() => textOf(server.process.home)).toContain('cancel-me');
    await server.facts('run', { command: `until [ -p ${release} ]; do sleep 0.01; done` });
    cancel.abort();
    await expect(call).rejects.toThrow();
    writeFileSync(release, 'x');
    await expect.poll(async () => (await entriesOf(server, { search: 'cancel-me', tool: 'run' }))[0]).toMatchObject({ outcome: 'cancelled', exit_code: 4 });
  });

  test('what a client reads as a resource, too', async () => {
    const session = await server.openSession('bash');
    await server.client.readResource({ uri: `shellkeep://sessions/${session.id}/transcript` });
    expect(await entriesOf(server, { tool: 'resources/read' })).toMatchObject([{ outcome: 'read', owner: 'local', args: { uri: expect.stringContaining(session.id) as string } }]);
  });
});

describe('what happens without a call', () => {
  test('the start of the server, a shell that ends by itself, a task that ends', async () => {
    const session = await server.openSession('bash');
    await session.run('exit 7');
    const { task_id: task } = await server.facts('task_spawn', { command: 'exit 5' });
    await server.facts('task_wait', { task_ids: [task] });
    const entries = await entriesOf(server, { max_entries: 1_000 });
    expect(entries[0]).toMatchObject({ kind: 'event', event: 'server_started', detail: expect.stringContaining(`pid ${server.pid}`) as string });
    expect(entries.find(({ event, session_id: id }) => event === 'session_ended' && id === session.id)).toMatchObject({ exit_code: 7, owner: 'local' });
    expect(entries.find(({ task_id: id, tool }) => id === task && tool === 'task_spawn')).toMatchObject({ outcome: 'done', exit_code: 5 });
  });

  test('the end of the server', async () => {
    const home = preparedHome();
    await withServer({ home }, (own) => own.facts('run', { command: 'true' }));
    expect(linesOf(home).at(-1)).toMatchObject({ event: 'server_ended' });
  });
});

test('a command that outlives its call has its end in the log when it ends', async () => {
  const session = await server.openSession('bash');
  const { audit_id: id } = await session.run('read line; exit 3', { timeout_ms: 1 });
  expect(await entriesOf(server, { session_id: session.id, tool: 'session_run' })).toMatchObject([{ audit_id: id, outcome: 'running' }]);
  await session.send({ text: 'x' });
  expect(await entriesOf(server, { session_id: session.id, tool: 'session_run' })).toMatchObject([{ audit_id: id, outcome: 'done', exit_code: 3 }]);
});

test('what ran when the server was killed is interrupted, to the next server and to verify', async () => {
  const home = preparedHome();
  const killed = await startServer({ home });
  const { audit_id: task } = await killed.facts('task_spawn', { command: 'sleep 600' });
  const session = await killed.openSession('bash');
  const { audit_id: command } = await session.run('sleep 600', { timeout_ms: 1 });
  killed.process.kill('SIGKILL');
  await killed.process.ended;
  await withServer({ home }, async (next) => {
    const { entries, total_in_file: total } = (await next.facts('audit_read', { backup_index: 1 })) as { entries: Entry[]; total_in_file: number };
    expect(total).toBeGreaterThan(3);
    expect(entries.filter(({ outcome }) => outcome === 'interrupted').map(({ audit_id: id }) => id)).toEqual([command, task]);
    const verified = await next.facts('run', { command: `'${process.execPath}' ${path.resolve('dist/cli.js')} audit verify` });
    expect(verified).toMatchObject({ exit_code: 0, stdout: expect.stringContaining('as they were written') as string });
  });
});

describe('reading it', () => {
  test('a file that is not there is BACKUP_NOT_FOUND with what there is, and reading is in the log itself (R166, R167, R168)', async () => {
    const { facts } = await server.callTool('audit_read', { backup_index: 9 });
    expect(facts.error).toMatchObject({ code: 'BACKUP_NOT_FOUND', hint: expect.stringContaining('0 is the current one') as string });
    expect((await entriesOf(server, { tool: 'audit_read', order: 'newest' }))[0]).toMatchObject({ outcome: 'failed', error: 'BACKUP_NOT_FOUND' });
  });

  test('filters narrow it, and one that matches nothing gives nothing', async () => {
    await server.facts('run', { command: 'echo needle-1' });
    await server.callTool('run', { command: 'echo needle-2; rm -rf /' });
    const seen = async (args: object): Promise<unknown[]> => (await entriesOf(server, { search: 'needle-', tool: 'run', ...args })).map(({ outcome }) => outcome);
    expect(await seen({})).toEqual(['done', 'refused']);
    expect(await seen({ class: 'reject' })).toEqual(['refused']);
    expect(await seen({ outcome: 'done' })).toEqual(['done']);
    expect(await seen({ order: 'newest', max_entries: 1 })).toEqual(['refused']);
    expect(await seen({ after: '2999-01-01T00:00:00Z' })).toEqual([]);
    expect(await seen({ before: '2000-01-01' })).toEqual([]);
    expect(await seen({ session_id: 's_nobody' })).toEqual([]);
    expect((await server.callTool('audit_read', { after: 'yesterday' })).facts.error).toMatchObject({ code: 'INVALID_ARGUMENT', hint: expect.stringContaining('ISO 8601') as string });
  });
});

describe('a log that cannot be written', () => {
  const PLACES: readonly (readonly [string, (directory: string) => void])[] = [
    ['a file in its place', (directory) => writeFileSync(directory, '')],
    ['a symbolic link to another directory', (directory) => symlinkSync(mkdtempSync(path.join(path.dirname(directory), 'other-')), directory)],
    ['a symbolic link to nothing', (directory) => symlinkSync('/nowhere/at/all', directory)],
  ];

  test.each(PLACES)('%s: calls work, and standard error says once what is wrong (R163)', async (_, block) => {
    const home = preparedHome();
    mkdirSync(path.dirname(directoryOf(home)), { recursive: true });
    block(directoryOf(home));
    await withServer({ home }, async (own) => {
      for (const text of ['one', 'two']) expect(await own.facts('run', { command: `echo ${text}` })).toMatchObject({ stdout: `${text}\n`, audit_id: expect.stringMatching(/^a_/) as string });
      expect(own.process.stderr.match(/the audit log cannot be written/g)).toHaveLength(1);
      rmSync(directoryOf(home), { recursive: true });
      await own.facts('run', { command: 'echo three' });
      expect(linesOf(home)).toMatchObject([{ event: 'gap' }, { kind: 'start' }, { kind: 'end' }]);
    });
  });

  test('and is required: nothing runs, what runs can be ended, and it recovers by itself', async () => {
    const home = preparedHome();
    await withServer({ home, args: ['--audit-required'] }, async (own) => {
      const session = await own.openSession('bash');
      const { task_id: task } = await own.facts('task_spawn', { command: 'cat', stdin: 'pipe' });
      const { log } = { log: directoryOf(home) };
      rmSync(log, { recursive: true });
      writeFileSync(log, '');
      await expect.poll(async () => (await own.callTool('run', { command: 'true' })).facts.error?.code, { timeout: 5_000 }).toBe('DISK_FULL'); // a removed file is noticed within a second
      const ran = path.join(home.dir, 'ran');
      for (const [tool, args] of [
        ['run', { command: `touch ${ran}` }],
        ['session_run', { session_id: session.id, command: `touch ${ran}` }],
        ['task_spawn', { command: `touch ${ran}` }],
        ['task_write', { task_id: task, text: 'x\n' }],
        ['session_create', {}],
      ] as const) {
        const { facts } = await own.callTool(tool, args);
        expect(facts.error, tool).toMatchObject({ code: 'DISK_FULL', hint: expect.stringContaining('audit_required') as string });
      }
      expect(await own.facts('task_poll', { task_id: task, terminate: true })).toMatchObject({ finished: true, stdout: '' });
      expect(await own.facts('session_list')).toMatchObject({ count: 1 });
      rmSync(log);
      expect(await session.run(`ls ${ran} 2>/dev/null; echo back`)).toMatchObject({ output: 'back\n' });
    });
  });
});

/** A data directory of 256 KB in a mount namespace of the server's own. */
const SMALL_DATA = ['unshare', '-rm', 'sh', '-c', 'mount -t tmpfs -o size=256k,mode=700 tmpfs "$XDG_DATA_HOME" && exec "$@"', 'sh'];
const [program = '', ...mounting] = SMALL_DATA;
const canMount = spawnSync(program, [...mounting, 'true'], { env: { ...process.env, XDG_DATA_HOME: '/tmp' } }).status === 0;

test.runIf(canMount)(`T92: a data directory of 256 KB that becomes full${canMount ? '' : ' (skipped: unshare -rm may not mount here)'}: calls work, status says so, what is there is whole, and with room all goes on`, async () => {
  const home = preparedHome();
  const data = path.join(home.root, 'data');
  mkdirSync(data);
  await withServer({ home, env: { XDG_DATA_HOME: data }, through: SMALL_DATA, args: ['--audit-max-bytes', '32768', '--audit-gzip-bytes', '1'] }, async (own) => {
    const status = async (): Promise<unknown> => (await own.facts('status'))['audit'];
    await own.facts('run', { command: 'head -c 1000000 /dev/zero >> "$XDG_DATA_HOME/filler"' });
    for (let i = 0; i < 20; i++) expect(await own.facts('run', { command: `echo ${i} ${'x'.repeat(500)}` })).toMatchObject({ exit_code: 0 });
    expect(await status()).toMatchObject({ ok: false, problem: 'no space left on device', dropped: expect.any(Number) as number });
    rmSync(path.join(`/proc/${own.pid}/root`, data, 'filler'));
    await own.facts('run', { command: 'echo after' });
    expect(await status()).toMatchObject({ ok: true });
    const [gap] = await entriesOf(own, { search: 'could not be written' });
    expect(gap).toMatchObject({ event: 'gap', detail: expect.stringMatching(/^\d+ entries before this one/) as string });
    const verify = `'${process.execPath}' '${path.resolve('dist/cli.js')}' audit verify`;
    expect(await own.facts('run', { command: verify })).toMatchObject({ exit_code: 0, stdout: expect.stringContaining('as they were written') as string });
  });
});

test('what is written is sent on, a place that does not answer keeps nobody, and what was not sent is sent by the next server', async () => {
  const home = preparedHome();
  const peer = await HttpPeer.start((response) => response.writeHead(204).end());
  home.write('.config/shellkeep/config.toml', `[[ship]]\nto = "loki"\nurl = "${peer.url}/loki/api/v1/push"\n`);
  const arrived = (text: string): boolean => peer.requests.some(({ headers, body }) => (headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body).toString().includes(text));
  const shipOf = async (from: Harness): Promise<unknown> => ((await from.facts('status'))['audit'] as Facts)['ship'];
  await withServer({ home }, async (own) => {
    await own.facts('run', { command: 'echo sent-at-once' });
    await expect.poll(() => arrived('sent-at-once'), { timeout: 10_000 }).toBe(true);
    expect(await shipOf(own)).toMatchObject([{ to: expect.stringContaining(peer.url) as string, ok: true, dropped: 0 }]);
    await peer.close();
    await own.facts('run', { command: 'echo sent-later' });
    await expect.poll(() => shipOf(own), { timeout: 10_000 }).toMatchObject([{ ok: false, retry_at: expect.any(String) as string }]);
  });
  await peer.listen();
  await withServer({ home }, async (next) => {
    await next.facts('run', { command: 'true' });
    await expect.poll(() => arrived('sent-later'), { timeout: 10_000 }).toBe(true);
  });
});

describe('secrets', () => {
  /** Each `@` is a secret; none of it runs. */
  const TEMPLATES = [
    "curl -H 'Authorization: Bearer @' https://x", 'tool --password @ --host h', 'mysql -u root -p@ shop', 'API_KEY=@ ./deploy', 'git clone https://u:@#h/x.git', 'export DB_PASSWORD=@',
    'sshpass -p @ ssh host', 'curl -u me:@ https://x', `curl -d '{"user":"a","password":"@"}' https://x`, 'docker login -u me -p @ r', 'redis-cli -a @ ping', 'vault login @',
  ];

  test('sixty of them, through every tool that takes any, are in no file that the server leaves, not on its standard error and not in what it tells (T26)', async () => {
    const home = preparedHome();
    const secrets: string[] = [];
    const secret = (): string => {
      secrets.push(`zq${randomBytes(7).toString('hex')}`);
      return secrets.at(-1) ?? '';
    };
    await withServer({ home }, async (own) => {
      const session = await own.openSession('bash', { env: { OWN_SECRET: secret() } });
      const ways: readonly ((command: string) => Promise<unknown>)[] = [
        (command) => own.callTool('run', { command }),
        (command) => own.callTool('session_run', { session_id: session.id, command }),
        (command) => own.callTool('task_spawn', { command }),
        (command) => own.callTool('classify', { command }),
      ];
      for (const template of TEMPLATES) for (const way of ways) await way(`false && ${template.replace('@', secret).replace('#', '@')}`);
      await own.facts('run', { command: 'cat >/dev/null', stdin: `password=${secret()}\n`, env: { TOKEN: secret() } });
      await session.run('true', { env: { TOKEN: secret() } });
      await own.facts('task_spawn', { command: 'true', env: { TOKEN: secret() } });
      await typedSecrets(own, session, secret);
      expect(secrets.length).toBeGreaterThanOrEqual(60);
      expect(linesOf(home).length).toBeGreaterThan(100);
      expect(found(directoryOf(home), secrets)).toEqual([]);
      const shown = [own.process.stderr, JSON.stringify(await own.facts('status')), JSON.stringify(await entriesOf(own, { max_entries: 1_000 }))];
      expect(secrets.filter((each) => shown.some((text) => text.includes(each)))).toEqual([]);
    });
    expect(found(home.root, secrets)).toEqual([]);
  });

  /** At prompts that hide what is typed: of each shell, of a program in a session, and of one that asks on a pipe. */
  async function typedSecrets(own: Harness, bash: Session, secret: () => string): Promise<void> {
    for (const shell of shells()) {
      const session = await own.openSession(shell);
      const read = { bash: 'read -rs x', zsh: 'read -rs x', fish: 'read -s x' }[shell];
      expect(await session.run(read)).toMatchObject({ awaiting: { kind: 'secret' } });
      await session.send({ text: secret() });
    }
    await bash.run("python3 -c 'import getpass; getpass.getpass()'");
    await bash.send({ text: secret() });
    await bash.run('stty -echo -icanon; printf "Passphrase: "; dd bs=1 count=1 2>/dev/null; stty echo icanon', { timeout_ms: 500 });
    await bash.send({ text: secret() });
    await bash.interrupt();
    const { task_id: task } = await own.facts('task_spawn', { command: 'printf "Password: " >&2; cat >/dev/null', stdin: 'pipe' });
    await own.facts('task_poll', { task_id: task, until: { output: 'Password' } });
    await own.facts('task_write', { task_id: task, text: `${secret()}\n`, eof: true });
    expect((await own.callTool('session_send', { session_id: bash.id, text: secret() })).isError).toBe(true); // to nobody
  }

  /** Files below a directory with one of the texts. */
  function found(directory: string, texts: readonly string[]): string[] {
    const files = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    return files.map((entry) => path.join(entry.parentPath, entry.name)).filter((file) => {
      chmodSync(file, 0o600);
      const text = readFileSync(file, 'utf8');
      return texts.some((each) => text.includes(each));
    });
  }
});
