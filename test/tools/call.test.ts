// The path of a call: where it starts, what the services are asked, and what becomes of whatever is thrown.
import { expect, test } from 'vitest';
import { ExpectedError } from '../../src/errors.ts';
import { AUDIT_ID } from '../support/memory-trail.ts';
import { Double } from './double.ts';

const SESSION = 's_k3v9x2m7qp4t';

test('a command reaches the service byte for byte', async () => {
  const text = '  printf \'%s\\n\' "$HOME" `x` $(y) \\& # é\n\tcat <<EOF\nEOF\n';
  for (const [tool, method, at] of [['run', 'runner.run', 1], ['session_run', 'sessions.run', 2], ['task_spawn', 'tasks.spawn', 1]] as const) {
    const double = new Double();
    await double.call(tool, { session_id: SESSION, command: text });
    expect(double.argsOf(method)[at]).toMatchObject({ text });
  }
});

test('a run has the server\'s environment with its own over it, and the usual directory', async () => {
  const double = new Double();
  await double.call('run', { command: 'true', env: { B: 'own' } }, { roots: () => Promise.resolve(['/client', '/other']) });
  expect(double.argsOf('roots.defaultDirectory')).toEqual(['/client']);
  expect(double.argsOf('runner.run')[2]).toEqual({ cwd: '/default', realCwd: '/default', env: { PATH: '/bin', A: 'server', B: 'own' }, login: false, timeoutMs: 30_000, maxOutputBytes: 50_000, onRunning: expect.any(Function) as unknown });
});

test('a cwd that is named is resolved, and the client is not asked', async () => {
  const double = new Double();
  await double.call('run', { command: 'true', cwd: '~/x' }, { roots: () => Promise.reject(new Error('asked')) });
  expect(double.argsOf('roots.resolve')).toEqual(['~/x']);
  expect(double.argsOf('runner.run')[2]).toMatchObject({ cwd: '/real' });
});

test('beside a session a run and a task have its directory, variables and umask, and nothing of the server', async () => {
  for (const [tool, method, at] of [['run', 'runner.run', 2], ['task_spawn', 'tasks.spawn', 2]] as const) {
    const double = new Double();
    await double.call(tool, { command: 'true', session_id: SESSION, env: { B: 'own' } });
    expect(double.argsOf('sessions.beside')).toEqual(['local', SESSION]);
    expect(double.argsOf(method)[at]).toMatchObject({ cwd: '/home/u/app', realCwd: '/home/u/app', env: { A: 'session', PATH: '/bin', B: 'own' }, umask: 0o27 });
  }
});

test('a relative cwd beside a session starts at its directory', async () => {
  const double = new Double();
  await double.call('run', { command: 'true', session_id: SESSION, cwd: 'src' });
  expect(double.argsOf('roots.resolve')).toEqual(['src', { cwd: '/home/u/app', startedIn: '/home/u' }]);
  expect(double.argsOf('runner.run')[2]).toMatchObject({ cwd: '/real' });
});

test('what would be thought of a command in a directory that may not be used is judged where that would be', async () => {
  const double = new Double({ 'roots.resolve': new ExpectedError('INVALID_CWD', 'outside'), 'roots.absolute': '/mnt/c/x/../y' });
  await double.call('classify', { command: 'true', cwd: 'C:\\x\\..\\y' });
  expect(double.argsOf('roots.absolute')).toEqual(['C:\\x\\..\\y', undefined]);
  expect(double.argsOf('gate.foretell')[1]).toMatchObject({ cwd: '/mnt/c/y' });
});

test('enter follows text unless it is switched off, and nothing else', async () => {
  for (const [args, enter] of [[{ text: 'y' }, true], [{ text: 'y', enter: false }, false], [{ keys: ['tab'] }, false], [{ enter: true }, true], [{ cols: 80, rows: 24 }, false]] as const) {
    const double = new Double();
    await double.call('session_send', { session_id: SESSION, ...args });
    expect(double.argsOf('sessions.send')[2]).toMatchObject({ enter });
  }
});

test('options that were not given are absent', async () => {
  const double = new Double();
  await double.call('task_poll', { task_id: 't' });
  expect(double.argsOf('tasks.poll').slice(0, 4)).toEqual(['local', 'stdio', 't', { waitMs: 0, terminate: false, maxOutputBytes: 50_000 }]);
});

test('an id of megabytes is an unknown one', async () => {
  const double = new Double();
  await double.call('session_read', { session_id: 's_'.repeat(1_000_000) });
  expect(String(double.argsOf('sessions.read')[1])).toHaveLength(64);
});

test('progress is passed on with the time that the call may take, if the client asked for it', async () => {
  const reports: unknown[] = [];
  const double = new Double();
  await double.call('session_run', { session_id: SESSION, command: 'true', timeout_ms: 5_000 }, { progress: (...report) => reports.push(report) });
  (double.argsOf('sessions.run')[3] as { onProgress: (line: string, elapsedMs: number) => void }).onProgress('last line', 1_000);
  expect(reports).toEqual([['last line', 1_000, 5_000]]);
  const silent = new Double();
  await silent.call('session_run', { session_id: SESSION, command: 'true' });
  expect(silent.argsOf('sessions.run')[3]).not.toHaveProperty('onProgress');
});

test('an expected error is a result with its code, message and hint', async () => {
  const error = new ExpectedError('SESSION_BUSY', 'session "s_x" runs "make" since 3 s', { hint: 'wait or interrupt it' });
  const result = await new Double({ 'sessions.run': error }).call('session_run', { session_id: SESSION, command: 'true' });
  expect(result).toEqual({
    isError: true,
    text: `SESSION_BUSY: session "s_x" runs "make" since 3 s.\nwait or interrupt it\n[${AUDIT_ID}]`,
    structured: { error: { code: 'SESSION_BUSY', message: 'session "s_x" runs "make" since 3 s', hint: 'wait or interrupt it', documentation: 'docs/tools.md#session_run' }, audit_id: AUDIT_ID },
  });
});

test('anything else is a fault of ours: an incident for the caller, the stack for the operator', async () => {
  const double = new Double({ 'sessions.run': new TypeError('secret detail') });
  const result = await double.call('session_run', { session_id: SESSION, command: 'true' });
  const incident = /incident ([0-9a-f]{8})/.exec(result.text)?.[1];
  expect(result.text).toMatch(/^INTERNAL: an unexpected fault in session_run, incident [0-9a-f]{8}\.\n/);
  expect(result.text).not.toContain('secret detail');
  expect(double.logged).toEqual([expect.stringMatching(new RegExp(`^incident ${incident} in session_run: TypeError: secret detail\\n +at `))]);
});

test('a service that ends a cancelled wait is no fault', async () => {
  const double = new Double({ 'sessions.run': new Error('aborted') });
  const result = await double.call('session_run', { session_id: SESSION, command: 'true' }, { signal: AbortSignal.abort() });
  expect(result.isError).toBe(true);
  expect(double.logged).toEqual([]);
});

test('an unknown tool is answered with the nearest one', async () => {
  const result = await new Double().call('sesion_run');
  expect(result.isError).toBe(true);
  expect(result.text).toMatch(/^INVALID_ARGUMENT: there is no tool "sesion_run"\.\ndid you mean "session_run"\? tools: run, session_create, /);
  expect((await new Double().call('toString')).text).toMatch(/^INVALID_ARGUMENT: there is no tool "toString"\.\ntools: run, /);
});
