// Random bash programs are run for real, with a stub for the forbidden program: one that ran it must not have been called safe.
// SHELLKEEP_FUZZ_PROGRAMS makes more of them, from SHELLKEEP_FUZZ_FIRST on, and prints the rates.
import { afterAll, expect, test } from 'vitest';
import { classify } from '../../src/policy/classify.ts';
import type { ClassifyContext } from '../../src/policy/classify.ts';
import { Box } from './fuzz/box.ts';
import { isJudgedByName, makeProgram, STUB } from './fuzz/program.ts';
import { CONTEXT } from './support.ts';

const FIRST = Number(process.env['SHELLKEEP_FUZZ_FIRST'] ?? 1);
const WANTED = process.env['SHELLKEEP_FUZZ_PROGRAMS'];
const COUNT = Number(WANTED ?? 2000);
const BATCH = 50;
const WORKERS = 2;

/** Forbids the stub by its name, so that what is tried is whether it is seen at all. */
const BY_NAME: ClassifyContext = { ...CONTEXT, userRules: [{ id: 'stub', class: 'reject', match: [STUB], reason: 'forbidden here' }] };

const box = new Box();
afterAll(() => box.remove());

test(`none of ${COUNT} random programs is called safe and runs the forbidden one`, async () => {
  const programs = new Map(Array.from({ length: COUNT }, (_, index) => [FIRST + index, makeProgram(FIRST + index)]));
  await runAll([...programs]);
  const { ran, unreadable } = box.observed();
  const verdicts = [...programs].map(([number, text]) => ({ number, text, verdict: classify(text, isJudgedByName(number) ? BY_NAME : CONTEXT) }));
  const alarms = verdicts.filter(({ number, verdict }) => verdict.class !== 'safe' && !ran.has(number) && !unreadable.has(number));
  if (WANTED !== undefined) report({ ran: ran.size, unreadable: unreadable.size, alarms: alarms.length, unread: alarms.filter(({ verdict }) => verdict.rules.some(({ rule }) => rule === 'unreadable')).length, examples: alarms.filter(({ number }) => number % 97 === 0).map(({ text, verdict }) => `${text}\n   → ${verdict.rules.map(({ rule }) => rule).join(', ')}`) });
  expect(verdicts.filter(({ number, verdict }) => verdict.class === 'safe' && ran.has(number)).map(({ number, text }) => ({ number, text }))).toEqual([]);
  // or the programs would prove nothing
  expect(ran.size / COUNT).toBeGreaterThan(0.4);
  expect(unreadable.size / COUNT).toBeLessThan(0.15);
  expect(verdicts.filter(({ verdict }) => verdict.class === 'safe').length / COUNT).toBeGreaterThan(0.03);
}, 120_000 + COUNT * 50);

async function runAll(programs: readonly (readonly [number, string])[]): Promise<void> {
  const batches = Array.from({ length: Math.ceil(programs.length / BATCH) }, (_, index) => programs.slice(index * BATCH, (index + 1) * BATCH));
  const worker = async (): Promise<void> => {
    for (let batch = batches.shift(); batch !== undefined; batch = batches.shift()) await box.run(new Map(batch));
  };
  await Promise.all(Array.from({ length: WORKERS }, worker));
}

function report(found: object): void {
  console.log(JSON.stringify(found, undefined, 1).replaceAll('\\n', '\n    '));
}
