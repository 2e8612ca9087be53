import { chmodSync, existsSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readProcess } from '../../src/process/proc.ts';
import { readRecord, RuntimeDir, thisPlace } from '../../src/process/runtime-dir.ts';
import { sweepStale } from '../../src/process/stale-servers.ts';
import { randomServerBits, TagSpace } from '../../src/process/tag.ts';
import { Kernel } from './support.ts';

const uid = process.getuid?.() ?? 0;
let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'shellkeep-test-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true, maxRetries: 3 }));

function open(env: NodeJS.ProcessEnv = { XDG_RUNTIME_DIR: root }): RuntimeDir {
  return new RuntimeDir({ serverBits: 77n, env });
}

test('the folder is private, says whose it is, and goes as a whole', () => {
  const dir = open();
  expect(dirname(dir.path)).toBe(join(root, `shellkeep-${uid}`));
  for (const path of [dir.path, dirname(dir.path), dir.subdir('a'), dir.subdir('a')]) expect(lstatSync(path).mode & 0o777).toBe(0o700);
  expect(lstatSync(join(dir.path, 'record.json')).mode & 0o777).toBe(0o600);
  expect(readRecord(dir.path)).toEqual({ pid: process.pid, startTime: readProcess(process.pid)?.startTime, serverBits: '77', place: thisPlace() });
  writeFileSync(join(dir.subdir('a'), 'file'), 'x');
  dir.remove();
  dir.remove();
  expect(existsSync(dir.path)).toBe(false);
});

test('two servers have two folders', () => {
  expect(open().path).not.toBe(open().path);
});

test('a folder that others may read is made private again', () => {
  mkdirSync(join(root, `shellkeep-${uid}`));
  chmodSync(join(root, `shellkeep-${uid}`), 0o777);
  open();
  expect(lstatSync(join(root, `shellkeep-${uid}`)).mode & 0o777).toBe(0o700);
});

test.each([
  ['a link', (path: string) => symlinkSync(root, path)],
  ['a file', (path: string) => writeFileSync(path, '')],
])('%s in the place of the folder is not used', (_, make) => {
  make(join(root, `shellkeep-${uid}`));
  const dir = open();
  expect(dirname(dir.path)).not.toBe(root);
  expect(dirname(dir.path)).not.toBe(join(root, `shellkeep-${uid}`));
  expect(lstatSync(dir.path).mode & 0o777).toBe(0o700);
  dir.remove();
});

test.each([[{}], [{ XDG_RUNTIME_DIR: '' }], [{ XDG_RUNTIME_DIR: 'relative' }], [{ XDG_RUNTIME_DIR: '/missing/run' }]])('with %j it is in memory, or in the temporary folder', (env) => {
  const dir = open(env);
  expect(['/dev/shm', tmpdir()].map((place) => join(place, `shellkeep-${uid}`))).toContain(dirname(dir.path));
  dir.remove();
});

describe('at the next start', () => {
  /** A folder as a server left it that is not alive any more. */
  function leave(change: Partial<ReturnType<typeof readRecord>> = {}, bits = randomServerBits()): string {
    const dir = new RuntimeDir({ serverBits: bits, env: { XDG_RUNTIME_DIR: root } });
    const record = { ...readRecord(dir.path), startTime: 1, ...change };
    writeFileSync(join(dir.path, 'record.json'), JSON.stringify(record));
    return dir.path;
  }

  test('what a dead server left is ended and removed', async () => {
    const kernel = new Kernel();
    const { ended } = await kernel.run('setsid sleep 600 & exit 0').then((value) => ({ ended: value }));
    expect(ended.status).toMatchObject({ code: 0 });
    await kernel.run('true');
    const path = leave({}, kernel.tags.serverBits);
    const swept = await sweepStale(open());
    expect(swept.map(({ name }) => name)).toEqual(['sleep']);
    expect(existsSync(path)).toBe(false);
    await kernel.close();
  });

  test('folders of living servers, and of servers whose pids mean nothing here, stay', async () => {
    const alive = open();
    const elsewhere = leave({ place: { ...thisPlace(), pidNamespace: 'pid:[1]' } });
    const own = open();
    expect(await sweepStale(own)).toEqual([]);
    expect([alive.path, elsewhere, own.path].map((path) => existsSync(path))).toEqual([true, true, true]);
  });

  test('folders from before the last boot go, and nobody is signalled for them', async () => {
    const kernel = new Kernel();
    const { child, ended } = await kernel.start('sleep 600');
    const path = leave({ place: { ...thisPlace(), boot: 'another' } }, kernel.tags.serverBits);
    expect(await sweepStale(open())).toEqual([]);
    expect(existsSync(path)).toBe(false);
    expect(readProcess(child.pid)).toBeDefined();
    process.kill(-child.pid);
    await ended;
    await kernel.close();
  });

  test('a folder without a record goes when it is not just being made', async () => {
    const own = open();
    const [young, old] = ['server-young', 'server-old'].map((name) => join(dirname(own.path), name));
    if (young === undefined || old === undefined) throw new Error('unreachable');
    for (const path of [young, old]) mkdirSync(path);
    for (const text of ['', '{', 'null', '{"pid":1}', '{"pid":1,"startTime":1,"serverBits":"x","place":{}}']) {
      writeFileSync(join(old, 'record.json'), text);
      expect(readRecord(old), text).toBeUndefined();
    }
    const twoMinutesAgo = Date.now() / 1_000 - 120;
    utimesSync(old, twoMinutesAgo, twoMinutesAgo);
    await sweepStale(own);
    expect(readdirSync(dirname(own.path)).sort()).toEqual([basename(own.path), 'server-young'].sort());
  });

  test('tags of other servers are other tags', () => {
    expect(new TagSpace(1n).owns(new TagSpace(2n).next().value)).toBe(false);
  });
});
