// The writer: what is in the files after what was told to it, and what it costs.
import { chmodSync, existsSync, lstatSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, renameSync, rmSync, statSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import * as nodeFs from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { recordedArguments } from '../../src/audit/arguments.ts';
import { Redactor } from '../../src/audit/redact.ts';
import { hashOf } from '../../src/audit/record.ts';
import { verifyAudit } from '../../src/audit/verify.ts';
import { call, filesOf, linesOf, openLog, recordsOf, temporaryDirectory } from './support.ts';

const redactor = new Redactor();

test('an entry is one line with its place, its id and the hash of the line before, and is in the file when append returns (R158)', async () => {
  const { log, directory } = openLog();
  const ids = [log.append(call('one')), log.append(call('two'))];
  const [name = ''] = filesOf(directory);
  const lines = linesOf(join(directory, name));
  const [first, second] = recordsOf(directory);
  expect(first).toMatchObject({ v: 1, seq: 1, prev: '0'.repeat(64), audit_id: ids[0], server: expect.stringMatching(/^\d+-[0-9a-f]{8}$/), kind: 'call', tool: 'run', outcome: 'done', ts: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) });
  expect(second).toMatchObject({ seq: 2, prev: hashOf(lines[0] ?? ''), audit_id: ids[1] });
  expect(ids[0]).toMatch(/^a_[2-9a-z]{12}$/);
  expect(log.status).toMatchObject({ ok: true, written: 2, failed: 0, dropped: 0, path: join(directory, name), bytes: statSync(join(directory, name)).size });
  await log.close();
});

test('a start and its end have one id, and an execution has all its facts (R159)', () => {
  const { log, directory } = openLog();
  const args = recordedArguments({ command: 'make', cwd: '/a' }, { redactor });
  const auditId = log.append({ kind: 'start', tool: 'session_run', args, classification: 'dangerous', owner: 'local', client: { name: 'c', version: '1' }, sessionId: 's_1', commandId: 'c_1', cwd: '/a' });
  log.append({ kind: 'end', tool: 'session_run', auditId, outcome: 'done', exitCode: 2, durationMs: 12, queueMs: 1, stdoutBytes: 3, stderrBytes: 4, timedOut: false, truncated: false });
  expect(recordsOf(directory)).toEqual([
    expect.objectContaining({ kind: 'start', outcome: 'started', audit_id: auditId, classification: 'dangerous', owner: 'local', client: { name: 'c', version: '1' }, session_id: 's_1', command_id: 'c_1', cwd: '/a', args: { command: expect.objectContaining({ text: 'make', bytes: 4 }) as unknown, cwd: '/a' } }),
    expect.objectContaining({ kind: 'end', audit_id: auditId, exit_code: 2, duration_ms: 12, queue_ms: 1, stdout_bytes: 3, stderr_bytes: 4, timed_out: false, truncated: false }),
  ]);
});

test('T25: whatever a command contains, its record is one line of valid JSON without control characters, and the chain holds', async () => {
  const { log, directory } = openLog();
  const hostile = ['echo "a\n{\\"v\\":1,\\"tool\\":\\"fake\\",\\"class\\":\\"safe\\"}"', 'a\u2028b\u2029c\u0085d', '\ud800 lone \udfff', 'nul \0 esc \x1b[2J del \x7f c1 \x9b31m', '\u202eevil\u2066', '\r\n\r\n', '\ufeff\u200b', '\x01'.repeat(10_000)];
  for (const text of hostile) log.append(call(text, { args: recordedArguments({ command: text, [text]: text }, { redactor }), cwd: text, client: { name: text, version: text } }));
  const [name = ''] = filesOf(directory);
  const raw = readFileSync(join(directory, name));
  expect(raw.toString('latin1').split('\n')).toHaveLength(hostile.length + 1);
  // eslint-disable-next-line no-control-regex
  expect(raw.toString().replaceAll('\n', '')).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202e\u200b]/);
  const texts = recordsOf(directory).map(({ args }) => (args as { command: { text: string } }).command.text);
  expect(texts).toEqual(hostile.map((text) => text.slice(0, 4_096)));
  expect(await verifyAudit(directory)).toEqual({ segments: 1, records: hostile.length, findings: [] });
});

describe('rotation (R161, R165)', () => {
  test('a file stays below its size, the oldest closed ones go, the chain goes on from one to the next', async () => {
    const { log, directory } = openLog({ maxBytes: 4_096, backups: 3 });
    for (let i = 0; i < 200; i++) log.append(call(`entry ${i}`));
    await log.close();
    const files = filesOf(directory);
    expect(files).toHaveLength(4); // three closed ones and the last, which a living server wrote
    for (const name of files) expect(statSync(join(directory, name)).size).toBeLessThanOrEqual(4_096);
    expect(recordsOf(directory).map(({ seq }) => seq)).toEqual(Array.from({ length: recordsOf(directory).length }, (_, index) => 200 - recordsOf(directory).length + index + 1));
    expect((await verifyAudit(directory)).findings).toEqual([]);
  });

  test('closed files above the threshold are compressed, and nothing of what made them is left', async () => {
    const { log, directory } = openLog({ maxBytes: 8_192, backups: 100, gzipBytes: 1 });
    for (let i = 0; i < 100; i++) log.append(call(`entry ${i}`));
    await log.close();
    const files = filesOf(directory);
    expect(files.filter((name) => name.endsWith('.gz'))).toHaveLength(files.length - 1);
    expect(recordsOf(directory).map(({ detail }) => detail)).toEqual(Array.from({ length: 100 }, (_, i) => `entry ${i}`));
    expect((await verifyAudit(directory)).findings).toEqual([]);
    for (const name of files) expect(statSync(join(directory, name)).mode & 0o777).toBe(0o600);
  });

  test('a threshold of 0 compresses nothing', async () => {
    const { log, directory } = openLog({ maxBytes: 4_096, backups: 100 });
    for (let i = 0; i < 100; i++) log.append(call(`entry ${i}`));
    await log.close();
    expect(filesOf(directory).every((name) => name.endsWith('.jsonl'))).toBe(true);
  });

  test('T79: a clock that jumps back changes neither order nor chain', async () => {
    let now = Date.parse('2026-12-01T12:00:00Z');
    const { log, directory } = openLog({ maxBytes: 4_096, backups: 100, now: () => new Date((now -= 3_600_000)) });
    for (let i = 0; i < 60; i++) log.append(call(`entry ${i}`));
    await log.close();
    expect(recordsOf(directory).map(({ detail }) => detail)).toEqual(Array.from({ length: 60 }, (_, i) => `entry ${i}`));
    expect((await verifyAudit(directory)).findings).toEqual([]);
  });
});

describe('the directory', () => {
  test('T23: directory and files are for this user alone, whatever the umask and whatever was there', () => {
    const directory = temporaryDirectory();
    mkdirSync(directory, { recursive: true });
    chmodSync(directory, 0o777);
    openLog({ directory }).log.append(call('x'));
    expect(statSync(directory).mode & 0o777).toBe(0o700);
    expect(filesOf(directory).map((name) => statSync(join(directory, name)).mode & 0o777)).toEqual([0o600]);
  });

  test.each([
    ['a symbolic link to another directory', (path: string) => symlinkSync(mkdtempSync(join(dirname(path), 'other-')), path), 'UNSAFE_DIRECTORY', 'is a symbolic link'],
    ['a file', (path: string) => writeFileSync(path, 'mine'), 'UNSAFE_DIRECTORY', 'is not a directory'],
  ])('T22: %s in its place is refused and left alone (R163)', (_what, put, code, message) => {
    const directory = temporaryDirectory();
    mkdirSync(dirname(directory), { recursive: true });
    put(directory);
    const { log, told } = openLog({ directory });
    log.open();
    for (let i = 0; i < 3; i++) expect(log.append(call('x'))).toMatch(/^a_/);
    expect(log.status).toMatchObject({ ok: false, written: 0, dropped: 3, problem: { code, message: expect.stringContaining(message) } });
    expect(told).toEqual([expect.stringContaining(message)]);
    expect(lstatSync(directory).isFile() ? readFileSync(directory, 'utf8') : readdirSync(directory)).toEqual(lstatSync(directory).isFile() ? 'mine' : []);
    rmSync(directory);
    log.append(call('y'));
    expect(recordsOf(directory)).toMatchObject([{ event: 'gap', detail: '3 entries before this one could not be written' }, { detail: 'y' }]);
    expect(log.status).toMatchObject({ ok: true, written: 2, dropped: 3 });
    expect(told).toHaveLength(2);
  });

  test('one that cannot be made, because the place is read-only, fails no call', () => {
    const denied = { ...nodeFs, mkdirSync: () => { throw Object.assign(new Error('EROFS: read-only file system'), { code: 'EROFS', errno: -30 }); } } as typeof nodeFs;
    const { log } = openLog({ fs: denied });
    log.open();
    log.append(call('x'));
    expect(log.status).toMatchObject({ ok: false, problem: { code: 'EROFS', message: 'read-only file system' }, dropped: 1 });
  });

  test('a file that is removed or moved away while it is written is noticed, and the log goes on in a new one', async () => {
    const { log, directory } = openLog();
    log.append(call('one'));
    const [name = ''] = filesOf(directory);
    unlinkSync(join(directory, name));
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2_000 });
    onTestFinished(() => void vi.useRealTimers());
    log.append(call('two'));
    expect(filesOf(directory)).toHaveLength(1);
    expect(recordsOf(directory).at(-1)).toMatchObject({ detail: 'two' });
    renameSync(directory, `${directory}-moved`);
    await log.close();
    expect(existsSync(directory)).toBe(false);
  });
});

test('names and fields of any length give a record that is one', async () => {
  const { log, directory } = openLog();
  const long = 'x'.repeat(1_000_000);
  log.append({ kind: 'call', tool: long, outcome: 'failed', error: 'INVALID_ARGUMENT', owner: long, client: { name: long, version: long }, sessionId: 's_x', cwd: long, detail: long, args: { values: { a: long }, redacted: 0 } });
  log.append(call('after'));
  await log.close();
  expect(recordsOf(directory)).toMatchObject([{ tool: 'x'.repeat(64) }, { detail: 'after' }]);
  expect((await verifyAudit(directory)).findings).toEqual([]);
});

test('a required log refuses starts that it cannot record, and nothing else', () => {
  const directory = temporaryDirectory();
  mkdirSync(dirname(directory), { recursive: true });
  writeFileSync(directory, '');
  const { log } = openLog({ directory, isRequired: true });
  const refused = expect.objectContaining({ code: 'DISK_FULL', hint: expect.stringContaining('audit_required') as string }) as Error;
  expect(() => log.append({ kind: 'start', tool: 'run' })).toThrow(refused);
  expect(log.append(call('x'))).toMatch(/^a_/);
  expect(log.append({ kind: 'end', tool: 'run', auditId: 'a_1', outcome: 'done' })).toBe('a_1');
  expect(log.append({ kind: 'event', event: 'session_ended' })).toMatch(/^a_/);
  rmSync(directory);
  expect(log.append({ kind: 'start', tool: 'run' })).toMatch(/^a_/);
});

describe('when it is brought to the disk', () => {
  test.each([
    ['always', call('x'), 1],
    ['interval', call('x'), 0],
    ['interval', call('x', { classification: 'dangerous' }), 1],
    ['interval', call('x', { outcome: 'refused', classification: 'reject' }), 1],
    ['never', call('x', { classification: 'dangerous' }), 0],
  ] as const)('with %s: %#', (sync, entry, expected) => {
    let synced = 0;
    const { log } = openLog({ sync, fs: { ...nodeFs, fdatasyncSync: () => void (synced += 1) } });
    log.append(entry);
    expect(synced).toBe(expected);
  });

  test('interval: a second later, once for all that was written', async () => {
    let onSync = (): void => undefined;
    const done = new Promise<void>((resolve) => (onSync = resolve));
    let synced = 0;
    const fdatasync = (_fd: number, told: (error: null) => void): void => { synced += 1; told(null); onSync(); };
    const { log } = openLog({ sync: 'interval', fs: { ...nodeFs, fdatasync: fdatasync as typeof nodeFs.fdatasync } });
    for (let i = 0; i < 10; i++) log.append(call('x'));
    const start = performance.now();
    const alive = setInterval(() => undefined, 100); // the log's own timer holds no process
    await done;
    clearInterval(alive);
    expect(performance.now() - start).toBeGreaterThan(800);
    expect(synced).toBe(1);
  });
});
