import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { pinDirectory } from '../../src/process/pinned-directory.ts';

let base: string;
let place: string;
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'pinned-')));
  place = join(base, 'place');
  mkdirSync(place);
  mkdirSync(join(base, 'elsewhere'));
});
afterEach(() => rmSync(base, { recursive: true, maxRetries: 3 }));

function pwdIn(path: string): string {
  return execFileSync('/bin/pwd', ['-P'], { cwd: path, encoding: 'utf8' }).trim();
}

function exchange(): void {
  renameSync(place, join(base, 'moved'));
  symlinkSync(join(base, 'elsewhere'), place);
}

test.runIf(process.platform === 'linux')('a directory that is exchanged after the check is refused, one that is exchanged later is still the checked one', () => {
  const pinned = pinDirectory(place, place);
  expect(pwdIn(pinned.path)).toBe(place);
  exchange();
  expect(pwdIn(pinned.path)).toBe(join(base, 'moved'));
  pinned.close();
  expect(() => pinDirectory(place, place)).toThrow(expect.objectContaining({ code: 'INVALID_CWD', message: `cwd "${place}" leads elsewhere than when it was checked: to "${join(base, 'elsewhere')}"` }));
});

test('a link above it that is exchanged counts as well; a link by which it was named does not', () => {
  symlinkSync(base, `${base}-link`);
  const named = join(`${base}-link`, 'place');
  expect(pwdIn(pinDirectory(named, place).path)).toBe(place);
  rmSync(`${base}-link`);
  symlinkSync(join(base, 'elsewhere'), `${base}-link`);
  mkdirSync(join(base, 'elsewhere', 'place'));
  if (process.platform === 'linux') expect(() => pinDirectory(named, place)).toThrow('leads elsewhere');
  rmSync(`${base}-link`);
});

test('what is no directory by now is never started in by its name; what was never checked may be anything', () => {
  const nowhere = join(base, 'nowhere');
  if (process.platform === 'linux') expect(() => pinDirectory(nowhere, nowhere)).toThrow(expect.objectContaining({ code: 'INVALID_CWD', message: `cwd "${nowhere}" does not exist` }));
  exchange();
  expect(pinDirectory(place, undefined).path).toBe(place);
});

test.runIf(existsSync('/proc/self/fd'))('no descriptor stays open', () => {
  const before = readdirSync('/proc/self/fd').length;
  pinDirectory(place, place).close();
  expect(() => pinDirectory(place, base)).toThrow('leads elsewhere');
  pinDirectory(place, undefined).close();
  expect(readdirSync('/proc/self/fd')).toHaveLength(before);
});
