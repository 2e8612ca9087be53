// Starts children on pipes, and owns what they share: the pipes made in advance, the prologue file, the server's own tag.
import { closeSync, openSync, rmSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { Shell } from '../shell/shell.ts';
import { Child } from './child.ts';
import type { ChildDescriptors, ChildEvents } from './child.ts';
import { commandFromFile, planProgram, planStart, PROLOGUE_SCRIPT } from './command-line.ts';
import type { ProgramRequest, StartFacts, StartPlan } from './command-line.ts';
import { findBash } from './find-shell.ts';
import { inheritableFds } from './inherited-fds.ts';
import { pinDirectory } from './pinned-directory.ts';
import type { PinnedDirectory } from './pinned-directory.ts';
import { Pipes } from './pipes.ts';
import type { PipeEnds } from './pipes.ts';
import { writePrivate } from './private-file.ts';
import type { RuntimeDir } from './runtime-dir.ts';
import { exhausted, requireSpareDescriptors } from './start-check.ts';
import { applyTag } from './tag.ts';
import type { Tag, TagSpace } from './tag.ts';

export interface ChildOptions {
  readonly shell: Shell;
  readonly command: string;
  readonly login: boolean;
  readonly cwd: string;
  /** The real path that cwd had when it was checked: it starts there or not at all. */
  readonly realCwd?: string | undefined;
  readonly env: Readonly<Record<string, string>>;
  /** `none` is /dev/null; bytes are all there is to read. */
  readonly stdin: 'none' | 'pipe' | Buffer;
  readonly tag: Tag;
  readonly umask?: number | undefined;
}

/** Where a child begins, and what it is part of. */
type Beginning = Pick<ChildOptions, 'cwd' | 'realCwd' | 'stdin' | 'tag'>;

/** Linux takes 128 KB for one argument; the rest is for what stands around it. */
const LONGEST_ARGUMENT_BYTES = 100_000;
const PIPES_PER_CHILD = 3;

export class Launcher {
  readonly #tags: TagSpace;
  readonly #runtimeDir: RuntimeDir;
  readonly #pipes: Pipes;
  readonly #bash: string | undefined;
  #isServerTagged = false;
  #prologueFd: number | undefined;
  #filesMade = 0;

  constructor(services: { tags: TagSpace; runtimeDir: RuntimeDir; env: NodeJS.ProcessEnv }) {
    this.#tags = services.tags;
    this.#runtimeDir = services.runtimeDir;
    this.#pipes = new Pipes(() => services.runtimeDir.subdir('pipes'));
    this.#bash = findBash(services.env);
  }

  /** Makes the next start fast: the first one waits about 3 ms for what this does. */
  async prepare(): Promise<void> {
    await Promise.all([this.#tags.applyToServer(), this.#pipes.prepare(PIPES_PER_CHILD)]);
    this.#isServerTagged = true;
  }

  /**
   * Starts a command; its events come after this has returned.
   * Throws INVALID_CWD, SHELL_NOT_FOUND, INVALID_ARGUMENT when the environment is too large, RESOURCE_EXHAUSTED, or
   * DISK_FULL when its input or a very long command cannot be written.
   */
  async start(options: ChildOptions, events: ChildEvents): Promise<Child> {
    return this.#whenReady(() => this.#startCommand(options, events));
  }

  /** Starts a program in the root directory, with nothing to read. What it throws, and its events, are as for a command. */
  async startProgram(program: ProgramRequest, events: ChildEvents): Promise<Child> {
    return this.#whenReady(() => this.#launch(planProgram(program, this.#facts()), { cwd: '/', stdin: 'none', tag: program.tag }, events));
  }

  /** Closes what is shared. Nothing can be started afterwards, and nothing of ours writes to the server's folder any more. */
  async close(): Promise<void> {
    await this.#pipes.close();
    if (this.#prologueFd !== undefined) closeSync(this.#prologueFd);
    this.#prologueFd = undefined;
  }

  /** Starts in the same turn in which all was found ready: others wait for what is prepared, too. */
  async #whenReady(start: () => Child): Promise<Child> {
    while (!this.#isReady()) await this.prepare();
    requireSpareDescriptors();
    return start();
  }

  #isReady(): boolean {
    return this.#isServerTagged && this.#pipes.readyCount >= PIPES_PER_CHILD;
  }

  #startCommand(options: ChildOptions, events: ChildEvents): Child {
    const file = this.#commandFile(options);
    try {
      return this.#startNow(options, file, events);
    } catch (error) {
      if (file !== undefined) rmSync(file, { force: true });
      throw error;
    }
  }

  #startNow(options: ChildOptions, file: string | undefined, events: ChildEvents): Child {
    const command = file === undefined ? options.command : commandFromFile(options.shell, file);
    const plan = planStart({ ...options, command }, this.#facts());
    return this.#launch(plan, options, file === undefined ? events : removingAtEnd(file, events));
  }

  #facts(): StartFacts {
    return { closeFds: inheritableFds(), isLinux: process.platform === 'linux', bash: this.#bash };
  }

  #launch(plan: StartPlan, options: Beginning, events: ChildEvents): Child {
    const prologue = plan.needsPrologue ? this.#prologue() : undefined;
    const directory = pinDirectory(options.cwd, options.realCwd);
    const fds = orRelease(directory, () => this.#openDescriptors(options.stdin));
    try {
      const child = new Child({ ...plan, cwd: options.cwd, directory: directory.path, prologue }, fds, events);
      if (!plan.isTagged) void applyTag(child.pid, options.tag);
      return child;
    } catch (error) {
      closeAll([fds.ownStdin, fds.stdout.own, fds.stderr.own]);
      throw error;
    } finally {
      directory.close();
      closeAll([fds.stdin === 'ignore' ? undefined : fds.stdin, fds.stdout.child, fds.stderr.child]);
    }
  }

  #openDescriptors(stdin: ChildOptions['stdin']): ChildDescriptors {
    const stdout = this.#pipes.openOutput();
    const stderr = orClose([stdout], () => this.#pipes.openOutput());
    if (stdin === 'none') return { stdin: 'ignore', ownStdin: undefined, stdout, stderr };
    return orClose([stdout, stderr], () => {
      if (stdin !== 'pipe') return { stdin: this.#inputFile(stdin), ownStdin: undefined, stdout, stderr };
      const ends = this.#pipes.openInput();
      return { stdin: ends.child, ownStdin: ends.own, stdout, stderr };
    });
  }

  /**
   * An open file without a name. Not a pipe: whoever opens /dev/stdin would wait for ever at a FIFO whose writer has
   * written all and gone.
   */
  #inputFile(bytes: Buffer): number {
    return openNameless(join(this.#runtimeDir.subdir('pipes'), `input-${this.#filesMade++}`), bytes);
  }

  /** One open file for all children: it can neither be lost nor changed while the server lives. */
  #prologue(): number {
    this.#prologueFd ??= openNameless(join(this.#runtimeDir.subdir('pipes'), 'prologue'), PROLOGUE_SCRIPT);
    return this.#prologueFd;
  }

  #commandFile({ command }: ChildOptions): string | undefined {
    if (Buffer.byteLength(command) <= LONGEST_ARGUMENT_BYTES) return undefined;
    const path = join(this.#runtimeDir.subdir('commands'), String(this.#filesMade++));
    writePrivate(path, command);
    return path;
  }
}

function removingAtEnd(file: string, events: ChildEvents): ChildEvents {
  return {
    onStdout: (chunk) => events.onStdout(chunk),
    onStderr: (chunk) => events.onStderr(chunk),
    onEnd: (status) => {
      rmSync(file, { force: true });
      events.onEnd(status);
    },
  };
}

function openNameless(path: string, data: string | Buffer): number {
  writePrivate(path, data);
  try {
    return openSync(path, 'r');
  } catch (error) {
    throw exhausted('descriptor', error);
  } finally {
    unlinkSync(path);
  }
}

function orRelease<T>(directory: PinnedDirectory, open: () => T): T {
  try {
    return open();
  } catch (error) {
    directory.close();
    throw error;
  }
}

function orClose<T>(opened: readonly PipeEnds[], open: () => T): T {
  try {
    return open();
  } catch (error) {
    closeAll(opened.flatMap(({ own, child }) => [own, child]));
    throw error;
  }
}

function closeAll(fds: readonly (number | undefined)[]): void {
  for (const fd of fds) if (fd !== undefined) closeSync(fd);
}
