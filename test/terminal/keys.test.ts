import { describe, expect, test } from 'vitest';
import { bytesOfKey, KEY_NAMES, KEY_NAMES_IN_SHORT } from '../../src/terminal/keys.ts';

/** A key, its bytes, and those in application cursor mode where they differ. */
const TABLE: readonly (readonly [name: string, bytes: string, application?: string])[] = [
  ['enter', '\r'], ['tab', '\t'], ['escape', '\x1b'], ['backspace', '\x7f'], ['delete', '\x1b[3~'], ['page_up', '\x1b[5~'], ['page_down', '\x1b[6~'],
  ['up', '\x1b[A', '\x1bOA'], ['down', '\x1b[B', '\x1bOB'], ['right', '\x1b[C', '\x1bOC'], ['left', '\x1b[D', '\x1bOD'],
  ['home', '\x1b[H', '\x1bOH'], ['end', '\x1b[F', '\x1bOF'],
  ['f1', '\x1bOP'], ['f2', '\x1bOQ'], ['f3', '\x1bOR'], ['f4', '\x1bOS'], ['f5', '\x1b[15~'], ['f6', '\x1b[17~'], ['f7', '\x1b[18~'], ['f8', '\x1b[19~'],
  ['f9', '\x1b[20~'], ['f10', '\x1b[21~'], ['f11', '\x1b[23~'], ['f12', '\x1b[24~'],
  ['ctrl-a', '\x01'], ['ctrl-c', '\x03'], ['ctrl-z', '\x1a'], ['ctrl-\\', '\x1c'],
];

describe('named keys', () => {
  test.each(TABLE.map(([name, bytes, application = bytes]) => [name, bytes, application] as const))('%s', (name, bytes, application) => {
    expect(bytesOfKey(name, { applicationCursor: false })).toBe(bytes);
    expect(bytesOfKey(name, { applicationCursor: true })).toBe(application);
    expect(KEY_NAMES).toContain(name);
  });

  test('every listed name is a key of its own', () => {
    expect(KEY_NAMES).toHaveLength(6 + 7 + 12 + 26 + 1);
    expect(new Set(KEY_NAMES.map((name) => bytesOfKey(name, { applicationCursor: false }))).size).toBe(KEY_NAMES.length - 2); // ctrl-i is tab, ctrl-m enter
  });

  test.each(['', 'f0', 'f13', 'f01', 'f1x', 'ctrl-', 'ctrl-A', 'ctrl-[', 'ctrl-\\\\', 'Enter', 'pageup', '__proto__'])('%j is none', (name) => {
    expect(bytesOfKey(name, { applicationCursor: false })).toBeUndefined();
  });

  test('the short list names each kind of key once', () => {
    expect(KEY_NAMES_IN_SHORT).toBe('enter tab escape backspace delete page_up page_down up down right left home end f1..f12 ctrl-a..ctrl-z ctrl-\\');
  });
});
