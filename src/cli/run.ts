// `shellkeep run -- COMMAND`: one command as the server would run it, its output as it comes, its exit status as ours.
import type { Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { App, Kernel } from '../app.ts';
import type { CallRecord } from '../audit/call-record.ts';
import type { Settings } from '../config/schema.ts';
import { StartError } from '../config/start-error.ts';
import { packageVersion } from '../config/version.ts';
import { ExpectedError } from '../errors.ts';
import type { ApprovedCommand } from '../policy/gate.ts';
import type { Surroundings } from '../policy/judge.ts';
import type { Child } from '../process/child.ts';
import { exitCodeOf } from '../process/exit-status.ts';
import { findShell } from '../process/find-shell.ts';
import { quote } from '../shell/quote.ts';
import type { Shell } from '../shell/shell.ts';
import { outcomeOfError } from '../tools/recording.ts';
import { onEndSignal } from './signals.ts';

export interface RunOptions {
  readonly app: App;
  readonly settings: Settings;
  /** The command line after "run". */
  readonly words: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly startDirectory: string;
}

/** A reader that went away ends the command as SIGPIPE would. */
const BROKEN_PIPE_STATUS = 141;
/** How long input waits for a command that does not read, before the next try. */
const INPUT_RETRY_MS = 10;

/** Runs it and ends what it left. Resolves to the exit status. */
export async function runCommand({ app, settings, words, env, startDirectory }: RunOptions): Promise<number> {
  const shell = findShell(settings.runShell === 'bash' ? undefined : settings.runShell, env); // the default: what there is instead will do
  const text = commandText(shell, words);
  try {
    return await recorded(app, { command: text, cwd: startDirectory, shell: shell.name }, async (record) => {
      const command = await approved(app, text, { shell: shell.name, cwd: startDirectory, environment: {} });
      const kernel = await app.kernel();
      record.start({ classification: command.classification.class, cwd: startDirectory });
      return new Promise<number>((resolve, reject) => {
        onEndSignal(resolve);
        for (const stream of [process.stdout, process.stderr]) stream.on('error', () => resolve(BROKEN_PIPE_STATUS));
        follow(kernel, { shell, command, login: settings.login, cwd: startDirectory }).then(resolve, reject);
      });
    });
  } finally {
    await app.shutdown();
  }
}

/** Runs it with an entry in the audit log, as for a call of the tool `run`. */
async function recorded(app: App, args: Readonly<Record<string, string>>, run: (record: CallRecord) => Promise<number>): Promise<number> {
  const record = (await app.audit()).begin('run', args, { owner: 'local', client: { name: 'shellkeep run', version: packageVersion() } });
  try {
    const exitCode = await run(record);
    record.close('done', { exitCode });
    return exitCode;
  } catch (error) {
    if (error instanceof ExpectedError) record.close(outcomeOfError(error, false), { error: error.code, classification: error.classification?.class });
    throw error;
  }
}

/** A person who types a dangerous command here means it; what is rejected does not run here either. */
async function approved(app: App, text: string, where: Surroundings): Promise<ApprovedCommand> {
  return (await app.gate('flag')).approve(text, where, { dangerous: true, ask: () => Promise.resolve('accepted') });
}

/** One word is a command line; several are a command and its arguments, each as it is. */
function commandText({ name }: Shell, words: readonly string[]): string {
  const [first = ''] = words;
  if (first.trim() === '') throw new StartError('run needs a command: shellkeep run -- COMMAND');
  return words.length === 1 ? first : words.map((word) => quote(name, word)).join(' ');
}

interface Command {
  readonly shell: Shell;
  readonly command: ApprovedCommand;
  readonly login: boolean;
  readonly cwd: string;
}

/** Passes everything on, both ways, until the command has ended and its output is with its reader. */
async function follow({ launcher, tags, baseEnvironment }: Kernel, { command, ...place }: Command): Promise<number> {
  const stdin = process.stdin.isTTY ? 'none' : 'pipe';
  return new Promise((resolve, reject) => {
    const options = { ...place, command: command.text, env: baseEnvironment, stdin, tag: tags.next() } as const;
    const started = launcher.start(options, {
      onStdout: (chunk) => pass(chunk, process.stdout, started),
      onStderr: (chunk) => pass(chunk, process.stderr, started),
      onEnd: (status) => void flushed().then(() => resolve(exitCodeOf(status))),
    });
    started.then(stdin === 'pipe' ? passInput : () => undefined).catch(reject);
  });
}

/** A reader that is slower than the command holds it. */
function pass(chunk: Buffer, stream: Writable, started: Promise<Child>): void {
  if (stream.write(chunk)) return;
  void started.then((child) => {
    if (!stream.writableNeedDrain) return;
    child.pause();
    stream.once('drain', () => child.resume());
  });
}

/** Hands on our standard input, as fast as the command takes it. */
async function passInput(child: Child): Promise<void> {
  for await (const chunk of process.stdin) {
    while (!child.write(chunk as Buffer)) await sleep(INPUT_RETRY_MS); // the end of the command ends this process
  }
  child.endInput();
}

async function flushed(): Promise<void> {
  await Promise.all([process.stdout, process.stderr].map((stream) => new Promise((resolve) => stream.write('', resolve))));
}
