// Ways to write a command by hand, each run for real with the stub: what ran it must have been seen.
import { readFileSync } from 'node:fs';
import { afterAll, expect, test } from 'vitest';
import { classify } from '../../src/policy/classify.ts';
import { Box } from './fuzz/box.ts';
import { DEVICE, STUB } from './fuzz/program.ts';
import { CONTEXT } from './support.ts';

const BATCH = 50;
const FORBIDDEN = { ...CONTEXT, userRules: [{ id: 'stub', class: 'reject' as const, match: [STUB], reason: 'forbidden here' }] };
const WAYS = readFileSync(new URL('fuzz/written.txt', import.meta.url), 'utf8').split('\n').filter((line) => line !== '' && !line.startsWith('%%'));

const box = new Box();
afterAll(() => box.remove());

test(`none of ${WAYS.length} ways to write a command is called safe and runs it`, async () => {
  const scripts = WAYS.map((way): [string, string] => [way, written(way)]);
  const numbered = scripts.map(([, script], index): [number, string] => [index, script]);
  for (let at = 0; at < numbered.length; at += BATCH) await box.run(new Map(numbered.slice(at, at + BATCH)));
  const { ran } = box.observed();
  expect(scripts.filter(([, script], index) => ran.has(index) && classify(script, FORBIDDEN).class === 'safe').map(([way]) => way)).toEqual([]);
  expect(ran.size / WAYS.length).toBeGreaterThan(0.8); // or they would prove nothing
}, 120_000);

function written(way: string): string {
  return way.replaceAll('⏎', '\n').replaceAll('RMS', `${STUB} ${DEVICE.replaceAll('/', '\\/')}`).replaceAll('RM1', STUB).replaceAll('RM2', DEVICE).replaceAll('RM', `${STUB} ${DEVICE}`);
}
