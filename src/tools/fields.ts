// The argument schemas that several tools share. Messages of checks are the end of the sentence `argument "x" …`.
import { constants } from 'node:os';
import { z } from 'zod';
import type { Settings } from '../config/schema.ts';
import { nearest } from '../lib/nearest.ts';
import { shorten } from '../lib/shorten.ts';

/** A command travels in memory and through a private file; what is larger is data, not a command. */
export const MAX_TEXT_BYTES = 8 * 1024 * 1024;
/** The kernel refuses a single `NAME=value` above this (MAX_ARG_STRLEN is 128 KiB with the final NUL). */
const MAX_VARIABLE_BYTES = 131_071;
/** PATH_MAX of Linux. */
const MAX_PATH_BYTES = 4_096;

export interface Check {
  readonly test: (text: string) => boolean;
  readonly message: (text: string) => string;
  readonly hint?: string;
}

/** A text with checks of our own; only the first that fails is reported. */
export function checkedText(...checks: readonly Check[]): z.ZodString {
  return checks.reduce(
    (schema, { test, message, hint }) =>
      schema.refine(test, { error: ({ input }) => message(String(input)), abort: true, ...(hint === undefined ? {} : { params: { hint } }) }),
    z.string(),
  );
}

function hasNoNul(text: string): boolean {
  return !text.includes('\0');
}

const noNul: Check = { test: hasNoNul, message: () => 'contains a NUL character, which no shell can take' };

function atMost(limitBytes: number, hint: string): Check {
  return {
    test: (text) => Buffer.byteLength(text) <= limitBytes,
    message: (text) => `has ${Buffer.byteLength(text)} bytes; at most ${limitBytes} are allowed`,
    hint,
  };
}

const writeFile = 'write the data to a file in smaller pieces and name the file in the command';

/** The command of a run, a task or a session, byte for byte as it goes to the shell. */
export const command = checkedText(
  atMost(MAX_TEXT_BYTES, writeFile),
  { test: (text) => text.trim() !== '', message: (text) => (text === '' ? 'is empty' : 'is blank'), hint: 'give the command to run' },
  noNul,
);

/** What a dangerous command needs under these settings. */
export function override({ confirm }: Pick<Settings, 'confirm'>): { dangerous: typeof dangerous; confirm_token: typeof confirmToken } {
  const fields = confirm === 'token' ? { dangerous, confirm_token: confirmToken } : { dangerous };
  return fields as { dangerous: typeof dangerous; confirm_token: typeof confirmToken }; // optional, so absent is as good
}

const dangerous = z.boolean().default(false);
const confirmToken = z.string().max(64).optional().describe('from classify');

/** Text that goes to a program's input. */
export const inputText = checkedText(atMost(MAX_TEXT_BYTES, writeFile));

export const cwd = checkedText(noNul, atMost(MAX_PATH_BYTES, 'give the path of a directory'));

/** NAME_MAX of Linux. */
const MAX_NAME_BYTES = 255;

/** The name of a command. A path would make a look at a name a way to run whatever file lies there. */
export const programName = checkedText(
  { test: (name) => name !== '', message: () => 'is empty', hint: 'give the name of a command' },
  { test: (name) => !name.includes('/'), message: (name) => `is ${shorten(name)}, which is a path`, hint: 'give the name alone; run or session_run starts a program by its path' },
  { test: (name) => !/\p{Cc}/u.test(name), message: (name) => `is ${shorten(name)}, which contains a control character` },
  atMost(MAX_NAME_BYTES, 'give the name of a command'),
);

/** A name that people give to a session or a task, at most 64 characters on one line. */
export const givenName = z
  .string()
  .min(1)
  .max(64)
  .regex(/^[^\p{Cc}]*$/u, { error: () => 'contains a control character' });

/** Names and values of environment variables. Whether a shell owns a name is for the session to say. */
export const environment = z
  .record(
    checkedText(
      { test: (name) => name !== '', message: () => 'has a variable without a name' },
      { test: (name) => !name.includes('='), message: (name) => `has the variable name ${shorten(name)}, which contains "="` },
      { test: hasNoNul, message: (name) => `has the variable name ${shorten(name)}, which contains a NUL character` },
    ),
    checkedText(noNul),
  )
  .superRefine((variables, { addIssue }) => {
    for (const [name, value] of Object.entries(variables)) {
      if (Buffer.byteLength(`${name}=${value}`) <= MAX_VARIABLE_BYTES) continue;
      const message = `has the variable ${shorten(name)} of more than ${MAX_VARIABLE_BYTES} bytes, which the kernel refuses`;
      addIssue({ code: 'custom', message, params: { hint: writeFile } });
    }
  });

/** An id of any kind. A malformed one is answered as an unknown one, however long it is; a real one has 14 characters. */
export const anyId = z.string().overwrite((id) => id.slice(0, 64));

/** How long a call waits; 0 looks once. */
export function waitMs(maxMs: number, defaultMs: number): z.ZodDefault<z.ZodInt> {
  return z.int().min(0).max(maxMs).default(Math.min(defaultMs, maxMs));
}

/** How long something may take; there is no 0. */
export function timeoutMs(maxMs: number, defaultMs: number): z.ZodDefault<z.ZodInt> {
  return z.int().min(1).max(maxMs).default(Math.min(defaultMs, maxMs));
}

/** The cut of one stream in one answer. */
export function maxOutputBytes(defaultBytes: number): z.ZodDefault<z.ZodInt> {
  return z.int().min(1).max(10_000_000).default(defaultBytes);
}

/** The grace between the polite and the final signal. */
export const graceMs = z.int().min(0).max(60_000).default(2_000);

/** A place in a stream in bytes; a negative one counts from its end. */
export const cursor = z.int().min(Number.MIN_SAFE_INTEGER).max(Number.MAX_SAFE_INTEGER);

/** A regular expression; the engine says what is wrong with it, with BAD_PATTERN. */
export const pattern = z.string();

/** How many lines around a match are given with it. */
export const contextLines = z.int().min(0).max(20).default(0);

/** A signal by name, as the kernel of this machine has it. */
export const signalName = z
  .string()
  .refine((name): name is NodeJS.Signals => Object.hasOwn(constants.signals, name), {
    error: ({ input }) => `is ${shorten(input)}, which is no signal${didYouMean(String(input))}`,
  });

function didYouMean(name: string): string {
  const meant = nearest(name, Object.keys(constants.signals));
  return meant === undefined ? '; signals are named like SIGINT' : `; did you mean "${meant}"?`;
}
