// The script that puts the present address of a WSL system into the configurations of clients on Windows.
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { stringsIn } from '../../scripts/windows/json-strings.mjs';
import { addressFor, withAddress } from '../../scripts/windows/refresh-address.mjs';
import { removeAtEnd } from '../support/leftovers.ts';
import { ROOT } from '../support/paths.ts';

const SCRIPT = path.join(ROOT, 'scripts/windows/refresh-address.mjs');
const ASKED = { entry: 'shellkeep', address: '172.20.1.9' };

/** As VS Code writes it, with what people add. */
const CODE = `\uFEFF{
\t// servers of mine, "url": "http://1.1.1.1/"
\t"inputs": [{ "type": "promptString", "id": "token", "url": "http://172.1.1.1/" }],
\t"servers": {
\t\t"other": { "type": "http", "url": "http://172.20.1.1:54321/mcp" },
\t\t"shellkeep": { "type": "http", /* changes */ "url": "http://172.20.1.1:54321/mcp?a=1", "headers": { "Authorization": "Bearer \${input:token}", "url": "http://172.1.1.1/" }, },
\t},
}\r\n`;

test('the address of the one entry changes, and not one other character (R209)', () => {
  const { text, was } = withAddress(CODE, ASKED);
  expect(was).toBe('172.20.1.1');
  expect(text).toBe(CODE.replace('172.20.1.1:54321/mcp?a=1', '172.20.1.9:54321/mcp?a=1'));
  expect(withAddress(text, ASKED)).toEqual({ text, was: '172.20.1.9' });
});

test.each<[string, string, string | undefined]>([
  ['http://172.20.1.1/mcp', 'http://172.20.1.9/mcp', '172.20.1.1'],
  ['http://old.local', 'http://172.20.1.9', 'old.local'],
  ['http://[fd00::1]:54321/mcp', 'http://172.20.1.9:54321/mcp', '[fd00::1]'],
  ['http://127.0.0.1:54321/mcp', 'http://127.0.0.1:54321/mcp', '127.0.0.1'],
  ['http://localhost:54321/mcp', 'http://localhost:54321/mcp', 'localhost'],
  ['https://172.20.1.1/mcp', 'https://172.20.1.1/mcp', undefined],
  ['http://user:pass@172.20.1.1/', 'http://user:pass@172.20.1.1/', undefined],
  ['no url', 'no url', undefined],
])('an entry of Cursor with %s gets %s (R209)', (url, after, was) => {
  const text = (value: string): string => JSON.stringify({ mcpServers: { shellkeep: { url: value } } });
  expect(withAddress(text(url), ASKED)).toEqual({ text: text(after), was });
});

test('an address that somebody asks for is put in, also where the entry names this computer', () => {
  const text = '{"servers":{"shellkeep":{"url":"http:\\/\\/localhost:1\\/mcp"}}}';
  expect(withAddress(text, { ...ASKED, isAsked: true }).text).toBe('{"servers":{"shellkeep":{"url":"http://172.20.1.9:1/mcp"}}}');
});

test.each(['', '{', '[]', 'null', '{"servers":[]}', '{"servers":{"shellkeep":{"command":"wsl.exe"}}}', '{"servers":{"shellkeep":{"url":["http://172.1.1.1/"]}}}', '{"shellkeep":{"url":"http://172.1.1.1/"}}', '}}{{"url"::'])('%j has no such entry and stays as it is', (text) => {
  expect(withAddress(text, ASKED)).toEqual({ text, was: undefined });
});

test('strings are found with their keys, however they are escaped', () => {
  expect(stringsIn('{"a\\u0062": {"c": "d\\"e", "f": ["g", {"h": "i"}]}, "j": "//k"}').map(({ path: keys, value }) => [keys.join('/'), value])).toEqual([
    ['ab/c', 'd"e'],
    ['ab/f//h', 'i'],
    ['j', '//k'],
  ]);
});

const ETH0 = { address: '172.20.1.9', family: 'IPv4', internal: false };
test.each([
  ['mirrored\n', { eth0: [ETH0] }, '127.0.0.1'],
  ['virtioproxy', {}, '127.0.0.1'],
  ['nat', { lo: [{ ...ETH0, address: '127.0.0.1', internal: true }], docker0: [{ ...ETH0, address: '172.17.0.1' }], eth0: [{ ...ETH0, address: 'fe80::1', family: 'IPv6' }, ETH0] }, '172.20.1.9'],
  ['', { eth1: [ETH0] }, '172.20.1.9'],
  ['none', { lo: [{ ...ETH0, internal: true }] }, undefined],
])('with the network %j Windows reaches the system by %s', (mode, interfaces, address) => {
  expect(addressFor(mode, interfaces as unknown as Parameters<typeof addressFor>[1])).toBe(address);
});

test('as a program it says what it does, does nothing when it is only asked, and keeps the mode of the file (R209)', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'refresh-'));
  removeAtEnd(folder);
  const [file, none, damaged] = ['mcp.json', 'none.json', 'latin1.json'].map((name) => path.join(folder, name)) as [string, string, string];
  writeFileSync(file, CODE);
  chmodSync(file, 0o640);
  writeFileSync(damaged, Buffer.from([0x7b, 0xe4, 0x7d]));
  const run = (...args: string[]): string => execFileSync(process.execPath, [SCRIPT, '--address', '10.0.0.5', ...args], { encoding: 'utf8' });
  expect(run('--dry-run', file, none, damaged)).toBe(`${file}: 172.20.1.1 would become 10.0.0.5\n${none}: not there\n${damaged}: not in UTF-8; left alone\n`);
  expect(readFileSync(file, 'utf8')).toBe(CODE);
  expect(run(file)).toBe(`${file}: 172.20.1.1 is now 10.0.0.5\n`);
  expect([readFileSync(file, 'utf8'), statSync(file).mode & 0o777]).toEqual([CODE.replace('172.20.1.1:54321/mcp?a=1', '10.0.0.5:54321/mcp?a=1'), 0o640]);
  expect(run(file)).toBe(`${file}: has 10.0.0.5; nothing to change\n`);
});

test.each([
  [[], 'name the configurations'],
  [['--address', 'a b', 'x'], '--address "a b": must be'],
  [['--address', 'a/b', 'x'], '--address "a/b": must be'],
  [['--frob'], "Unknown option '--frob'"],
])('%j is refused with status 2', (args, message) => {
  const { stderr, status } = spawnSync(process.execPath, [SCRIPT, ...args, ...(args.includes('--address') ? [] : ['--address', '10.0.0.5'])], { encoding: 'utf8' });
  expect([stderr, status]).toEqual([expect.stringContaining(message), 2]);
});
