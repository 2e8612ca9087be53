// Commands that people really type, from manuals and from well-known projects: the policy must not get in their way.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { classify } from '../../src/policy/classify.ts';
import { CONTEXT } from './support.ts';

interface Row {
  readonly expected: string;
  readonly source: string;
  readonly command: string;
  /** The class that an exception gets, and the reason. */
  readonly note: string | undefined;
}

const text = readFileSync(new URL('corpus.tsv', import.meta.url), 'utf8');
const ROWS: readonly Row[] = text.split('\n').filter((line) => line !== '' && !line.startsWith('#')).map((line) => {
  const [expected = '', source = '', command = '', note] = line.split('\t');
  return { expected, source, command, note };
});
const HARMLESS = ROWS.filter(({ expected }) => expected === 'safe');
const MEANT = ROWS.filter(({ expected }) => expected === 'dangerous');

const told = ({ source, command }: Row): string => {
  const { class: found, rules } = classify(command, CONTEXT);
  return `${source}: ${command} → ${found} (${rules.map(({ rule }) => rule).join(', ')})`;
};

test('the corpus is large, small enough to keep, and says where each command is from', () => {
  expect(ROWS.length).toBeGreaterThanOrEqual(2000);
  expect(Buffer.byteLength(text)).toBeLessThan(400 * 1024);
  expect(ROWS.filter(({ expected, source, command }) => !['safe', 'dangerous'].includes(expected) || source === '' || command === '')).toEqual([]);
  expect(new Set(ROWS.map(({ source, command }) => `${source}\t${command}`)).size).toBe(ROWS.length);
});

test('every ordinary command is safe, but for the exceptions that the corpus lists', () => {
  expect(HARMLESS.filter((row) => row.note === undefined && classify(row.command, CONTEXT).class !== 'safe').map(told)).toEqual([]);
});

test('each exception gets the class that is listed, and they are at most one in a hundred', () => {
  const exceptions = HARMLESS.filter(({ note }) => note !== undefined);
  for (const row of exceptions) expect(row.note, told(row)).toMatch(new RegExp(`^${classify(row.command, CONTEXT).class}: \\S`));
  expect(exceptions.length / HARMLESS.length).toBeLessThanOrEqual(0.01);
});

test('what is meant to be dangerous is not safe', () => {
  expect(MEANT.length).toBeGreaterThan(100);
  expect(MEANT.filter(({ command }) => classify(command, CONTEXT).class === 'safe').map(told)).toEqual([]);
});
