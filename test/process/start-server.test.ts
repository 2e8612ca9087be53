import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startServer } from '../../src/process/start-server.ts';

let root: string;
let logPath: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'shellkeep-test-'));
  logPath = join(root, 'serve.log');
});
afterEach(() => rmSync(root, { recursive: true }));

const start = (...command: readonly [string, ...string[]]): Promise<string> => startServer({ command, env: process.env, cwd: root, logPath });

test.each([
  ['echo one >&2; echo two >&2', 'two'],
  ['echo one >&2; echo two >&2; kill -9 $$', 'two'],
  ['echo lost', ''],
  ['exit 3', ''],
])('"%s" ends with the words "%s", whatever an earlier one has said', async (script, words) => {
  writeFileSync(logPath, 'an old reason\n');
  expect(await start('/bin/sh', '-c', script)).toBe(words);
});

test('what earlier ones have said is kept, up to 1 MiB', async () => {
  for (const word of ['one', 'two']) await start('/bin/sh', '-c', `echo ${word} >&2`);
  expect(readFileSync(logPath, 'utf8')).toBe('one\ntwo\n');
  writeFileSync(logPath, 'x'.repeat(1024 * 1024 + 1));
  expect(await start('/bin/sh', '-c', 'echo three >&2')).toBe('three');
  expect(readFileSync(logPath, 'utf8')).toBe('three\n');
});
