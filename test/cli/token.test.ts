// `shellkeep token`: who may call the server, on the command line.
import { chmodSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { TokenList } from '../../src/config/token-list.ts';
import { newHome, runProgram } from './program.ts';

const token = (home: ReturnType<typeof newHome>, ...words: string[]): ReturnType<typeof runProgram> => runProgram(['token', ...words], { home });
const fileOf = (home: ReturnType<typeof newHome>): string => path.join(home.dir, '.config/shellkeep/tokens.json');

test('add prints the token alone; kept is its hash, for this user only', async () => {
  const home = newHome();
  const { stdout, stderr, end } = await token(home, 'add', 'laptop');
  expect([stderr, end]).toEqual(['', 0]);
  expect(stdout).toMatch(/^shellkeep_[\w-]{43}\n$/);
  expect(readFileSync(fileOf(home), 'utf8')).not.toContain(stdout.trim().slice(10));
  expect(statSync(fileOf(home)).mode & 0o777).toBe(0o600);
  expect(new TokenList(fileOf(home)).ownerOf(stdout.trim())).toMatchObject({ owner: 'laptop' });
});

test('list shows names, never tokens; revoke takes one away', async () => {
  const home = newHome();
  expect((await token(home)).stdout).toBe('no tokens; shellkeep token add NAME makes one\n');
  const [one, two] = [(await token(home, 'add', 'one')).stdout.trim(), (await token(home, 'add', 'two', '--max-class', 'safe')).stdout.trim()];
  const { stdout } = await token(home, 'list');
  expect(stdout).toMatch(/^one {2}since \S+Z\ntwo {2}since \S+Z {2}at most safe commands\n$/);
  expect((await token(home, 'revoke', 'one')).stdout).toContain('refused from now on');
  const list = new TokenList(fileOf(home));
  expect([list.ownerOf(one), list.ownerOf(two)?.maxClass]).toEqual([undefined, 'safe']);
});

test.each([
  [['add'], /token add NAME/],
  [['add', 'a/b'], /no name of an owner/],
  [['add', '..'], /no name of an owner/],
  [['add', 'x'.repeat(65)], /no name of an owner/],
  [['add', 'taken'], /"taken" has a token: revoke it first/],
  [['add', 'x', 'y'], /token add NAME/],
  [['add', 'x', '--max-class', 'reject'], /must be safe or dangerous/],
  [['add', 'x', '--max'], /Unknown option '--max'; shellkeep token /],
  [['list', 'x'], /token add NAME/],
  [['revoke', 'nobody'], /no token of "nobody"; there are: taken/],
  [['rovoke', 'taken'], /did you mean "revoke"/],
])('%j is refused with one line, and changes nothing', async (words, line) => {
  const home = newHome();
  await token(home, 'add', 'taken');
  const before = readFileSync(fileOf(home), 'utf8');
  const { stdout, stderr, end } = await token(home, ...words);
  expect([stdout, end, stderr.trimEnd().split('\n').length]).toEqual(['', 2, 1]);
  expect(stderr).toMatch(line);
  expect(readFileSync(fileOf(home), 'utf8')).toBe(before);
});

test.each([
  ['no JSON', 'hello', 0o600],
  ['another version', '{"version":2,"tokens":[]}', 0o600],
  ['an owner that is a path', '{"version":1,"tokens":[{"owner":"../x","sha256":"' + '0'.repeat(64) + '","created_at":""}]}', 0o600],
  ['a list that others may write', '{"version":1,"tokens":[]}', 0o666],
])('%s lets nobody in, is named, and is not overwritten', async (_, text, mode) => {
  const home = newHome();
  chmodSync(home.write('.config/shellkeep/tokens.json', text), mode);
  for (const words of [['token', 'add', 'x'], ['token', 'list'], ['serve', '--port', '0']]) {
    const { stderr, end } = await runProgram(words, { home });
    expect([words, end, stderr]).toEqual([words, 2, expect.stringContaining('tokens.json')]);
  }
  expect(readFileSync(fileOf(home), 'utf8')).toBe(text);
});
