// Runs transcripts in a real shell: each case in a session, a home and a directory of its own.
import { existsSync, readdirSync, readFileSync, watch } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { ExpectedError } from '../../src/errors.ts';
import type { CommandReport, RunInSession } from '../../src/session/api.ts';
import { ROOT } from '../support/paths.ts';
import { readLive } from '../support/processes.ts';
import { TestTable, withTable, type TableOptions, type TestSession } from '../support/session-table.ts';
import { forShell, type TestedShell } from '../support/shells.ts';
import { fill, matches, parseTranscript, type Case, type Expected, type Step } from './format.ts';

const FOLDER = path.join(ROOT, 'test', 'transcripts');
const HISTORY = ['.bash_history', '.zsh_history', '.zhistory', '.local/share/fish/fish_history'];

/** Defines a test for each case that is meant for the shell. */
export function defineTranscripts(shell: TestedShell): void {
  const files = readdirSync(FOLDER).filter((name) => name.endsWith('.transcript') || name.endsWith(`.${shell}`)).sort();
  forShell(shell, () => {
    for (const file of files) describe(file, () => defineCases(shell, file));
  });
}

function defineCases(shell: TestedShell, file: string): void {
  for (const one of parseTranscript(readFileSync(path.join(FOLDER, file), 'utf8'))) {
    if (isFor(shell, one)) test(one.title, () => runCase(shell, file, one));
  }
}

function isFor(shell: TestedShell, { setup }: Case): boolean {
  const only = setup.find(({ key }) => key === 'only');
  return only === undefined || only.value.split(' ').includes(shell);
}

async function runCase(shell: TestedShell, file: string, one: Case): Promise<void> {
  await withTable(tableOptions(one), async (table) => {
    const places = { home: table.home.dir, work: table.work, shell };
    const written = writeFiles(shell, table, one, places);
    const session = await openSession(shell, table, one, places);
    for (const step of one.steps) await runStep(session, step, places).catch((error: unknown) => {
      if (error instanceof Error) error.message = `${file}:${step.line}: ${error.message}`;
      throw error;
    });
    for (const [name, text] of written) expect(readFileSync(name, 'utf8'), `${name} is as the user wrote it`).toBe(text);
    expect(HISTORY.filter((name) => existsSync(path.join(table.home.dir, name))), 'no history is written').toEqual([]);
  });
}

function values({ setup }: Case, key: string): string[] {
  return setup.flatMap((line) => (line.key === key ? [line.value] : []));
}

function pairs({ setup }: Case, word: string): Record<string, string> {
  return Object.fromEntries(setup.flatMap(({ key, value }) => (key.startsWith(`${word} `) ? [[key.slice(word.length + 1), value]] : [])));
}

function tableOptions(one: Case): TableOptions {
  const [timeout] = values(one, 'start_timeout_ms');
  return { env: pairs(one, 'server'), ...(timeout === undefined ? {} : { settings: { startTimeoutMs: Number(timeout) } }) };
}

/** Writes the user's files; gives what is in them. */
function writeFiles(shell: TestedShell, table: TestTable, one: Case, places: Readonly<Record<string, string>>): Map<string, string> {
  const written = new Map<string, string>();
  const rc = one.setup.filter(({ key }) => key === 'rc' || key === `rc.${shell}`).map(({ value }) => `${fill(value, places)}\n`);
  if (rc.length > 0) written.set(table.home.writeRc(shell, rc.join('')), rc.join(''));
  const others = new Map<string, string>();
  for (const { key, value } of one.setup) if (key.startsWith('home ')) others.set(key.slice(5), `${others.get(key.slice(5)) ?? ''}${fill(value, places)}\n`);
  for (const [name, text] of others) written.set(table.home.write(name, text), text);
  return written;
}

async function openSession(shell: TestedShell, table: TestTable, one: Case, places: Readonly<Record<string, string>>): Promise<TestSession> {
  const env = Object.fromEntries(Object.entries(pairs(one, 'env')).map(([name, value]) => [name, fill(value, places)]));
  const session = await table.open(shell, { env, login: values(one, 'login').includes('yes') });
  const { integration, startupOutput = '', warnings } = session.created;
  const [startup] = values(one, 'startup');
  if (startup === undefined) expect(startupOutput, 'what the start printed').toBe('');
  else expect(startupOutput).toMatch(new RegExp(fill(startup, places)));
  expectWarnings(warnings, values(one, 'start_warning').map((pattern) => fill(pattern, places)));
  expect(integration, warnings.join('; ')).toBe(values(one, 'integration')[0] ?? 'full');
  return session;
}

async function runStep(session: TestSession, step: Step, places: Readonly<Record<string, string>>): Promise<void> {
  if (step.action.kind === 'until') return waitFor(session, fill(step.action.what, places), places);
  const report = await act(session, step, places).catch((error: unknown) => {
    if (error instanceof ExpectedError) return error;
    throw error;
  });
  if (report instanceof ExpectedError) return expect(`refused ${report.code}`, report.message).toBe(step.end);
  compare(report.output.text, step.output, step, places);
  if (report.stderr !== undefined) compare(report.stderr.text, step.stderr, { endsInNewline: true }, places);
  expect(endOf(report), report.output.text.slice(0, 500)).toMatch(new RegExp(`^(?:${step.end})$`));
  expectWarnings(report.warnings, step.warnings.map((pattern) => fill(pattern, places)));
}

function act(session: TestSession, { action }: Step, places: Readonly<Record<string, string>>): Promise<CommandReport> {
  switch (action.kind) {
    case 'run':
      return session.run(fill(action.text, places), optionsOf(action.options, places));
    case 'send':
      return session.send({ text: fill(action.text, places), enter: action.enter, ...timeoutOf(action.options) });
    case 'keys':
      return session.send({ keys: action.keys, ...timeoutOf(action.options) });
    case 'interrupt':
      return session.interrupt();
    case 'until':
      throw new Error('no call');
  }
}

function optionsOf(options: readonly string[], places: Readonly<Record<string, string>>): Partial<RunInSession> {
  const env = options.flatMap((option) => (option.startsWith('env=') ? [option.slice(4)] : [])).map((pair) => [pair.slice(0, pair.indexOf('=')), fill(pair.slice(pair.indexOf('=') + 1), places)]);
  const [queue] = options.flatMap((option) => (option.startsWith('queue=') ? [Number(option.slice(6))] : []));
  return {
    ...timeoutOf(options),
    ...(options.includes('interrupt') ? { onTimeout: 'interrupt' } : {}),
    ...(options.includes('separate') ? { stderr: 'separate' } : {}),
    ...(queue === undefined ? {} : { queueMs: queue }),
    env: Object.fromEntries(env),
  };
}

function timeoutOf(options: readonly string[]): { timeoutMs?: number } {
  const [timeout] = options.flatMap((option) => (option.startsWith('timeout=') ? [Number(option.slice(8))] : []));
  return timeout === undefined ? {} : { timeoutMs: timeout };
}

/** `0`, `ended 42`, `ended SIGKILL 137`, `ended unknown`, `running`, `awaiting line`, `awaiting secret`, `awaiting keys`. */
function endOf({ state, exitCode, signal, awaiting }: CommandReport): string {
  const how = [signal, exitCode].filter((part) => part !== undefined).join(' ');
  if (state === 'awaiting_input') return `awaiting ${awaiting?.kind}`;
  if (state === 'running') return how === '' ? 'running' : `running ${how}`;
  return state === 'done' ? how : `ended ${how === '' ? 'unknown' : how}`;
}

function compare(text: string, expected: readonly Expected[], { endsInNewline }: { readonly endsInNewline: boolean }, places: Readonly<Record<string, string>>): void {
  const filled = expected.map((line) => (line.kind === 'any' ? line : { ...line, text: fill(line.text, places) }));
  const lines = text.split('\n');
  const hasNewline = lines.at(-1) === '';
  if (hasNewline) lines.pop();
  const isEndRight = text === '' || filled.at(-1)?.kind === 'any' || hasNewline === endsInNewline;
  if (isEndRight && matches(lines, filled)) return;
  const written = filled.map((line) => (line.kind === 'any' ? '...' : line.kind === 'pattern' ? `~ ${line.text}` : `| ${line.text}`));
  expect([...lines.map((line) => `| ${line}`), ...(hasNewline || text === '' ? [] : ['% no newline'])]).toEqual([...written, ...(endsInNewline ? [] : ['% no newline'])]);
}

function expectWarnings(warnings: readonly string[], patterns: readonly string[]): void {
  const isAsExpected = warnings.length === patterns.length && patterns.every((pattern) => warnings.some((warning) => new RegExp(pattern).test(warning)));
  if (!isAsExpected) expect(warnings, 'warnings').toEqual(patterns);
}

/** Waits for a state of the session, or for a file that a command of the case makes. */
async function waitFor(session: TestSession, what: string, places: Readonly<Record<string, string>>): Promise<void> {
  const [word, name = ''] = what.split(' ');
  const file = path.join(places['work'] ?? '', name);
  if (word === 'file') return waitForFile(file);
  if (word === 'gone') return expect.poll(() => readLive(Number(readFileSync(file, 'utf8'))), { timeout: 8_000, interval: 10 }).toBe(undefined);
  await expect.poll(() => session.summary()?.state, { timeout: 8_000, interval: 20 }).toBe(word);
}

function waitForFile(file: string): Promise<void> {
  return new Promise((resolve) => {
    const look = (): void => {
      if (!existsSync(file)) return;
      watcher.close();
      resolve();
    };
    const watcher = watch(path.dirname(file), look);
    look();
  });
}
