// The files by which a command's text goes to the shell and the shell's report comes back, in the session's private folder.
// They keep their names, and the two of every command their descriptors and their size: making, removing and truncating files took longer
// than all else.
import { closeSync, fstatSync, ftruncateSync, openSync, readSync, unlinkSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { notWritable, writePrivate } from '../process/private-file.ts';
import { requireSpareDescriptors } from '../process/start-check.ts';
import { parseReport } from '../shell/report.ts';
import type { ShellReport } from '../shell/report.ts';
import type { SessionShellName } from '../shell/shell.ts';
import { SeenPipe } from './seen-pipe.ts';

/** Beside the text: variables for the command only, how they are put back, and that input was sent which may be left over. */
export type CompanionName = 'env' | 'back' | 'input';

export interface CommandFilesOptions {
  readonly shell: SessionShellName;
  /** The private folder. */
  readonly dir: string;
  /** Makes it again when somebody has cleaned it away. */
  makeDir(): void;
}

/** What the shells take no notice of behind a text: zsh reads the whole file and drops newlines at its end, the others read up to a NUL. */
const PADDING = { bash: '\0', zsh: '\n', fish: '\0' };
/** A longer text is cut off when it has been read, not padded over: the shell would read that each time. */
const MOST_PADDING_BYTES = 4_096;

/** Enough for most reports in one read. */
let scratch = Buffer.allocUnsafeSlow(64 * 1024);

export class CommandFiles {
  readonly #options: CommandFilesOptions;
  readonly #padding: Buffer;
  #id: string;
  #textFd: number | undefined;
  /** Of the text that is in its file. */
  #textBytes = 0;
  #stateFd: number | undefined;
  #seen: SeenPipe | undefined;
  /** What was written for the command and is not removed yet. */
  readonly #there = new Set<CompanionName>();

  /** `id` is that of the first command. */
  constructor(options: CommandFilesOptions, id: string) {
    this.#options = options;
    this.#padding = Buffer.alloc(MOST_PADDING_BYTES, PADDING[options.shell]);
    this.#id = id;
  }

  /** Writes the text of the next command and what goes with it. Throws DISK_FULL. */
  write(id: string, text: string, companions: Readonly<Partial<Record<CompanionName, string>>>): void {
    this.#id = id;
    try {
      this.#writeText(Buffer.from(text));
      for (const name of ['env', 'back'] as const) if (companions[name] !== undefined) this.#writeCompanion(name, companions[name]);
    } catch (error) {
      this.clear();
      throw notWritable(this.#options.dir, error);
    }
  }

  /** Tells the shell that input was sent to the command. */
  tellOfInput(): void {
    if (!this.#there.has('input')) this.#writeCompanion('input', '');
  }

  /** The text has been read: nothing of it stays on the disk. */
  clearText(): void {
    if (this.#textFd !== undefined && this.#textBytes > 0) padOver(this.#textFd, this.#padding, this.#textBytes);
    this.#textBytes = 0;
  }

  /** Removes what was written for the command. */
  clear(): void {
    this.clearText();
    for (const name of this.#there) this.#remove(name);
  }

  /** Whether the shell has begun to write the report of the command. */
  isReported(): boolean {
    try {
      this.#stateFd ??= openSync(join(this.#options.dir, 'state'), 'r');
      if (readWhole(this.#stateFd).startsWith(`${this.#id}\0`)) return true;
      if (fstatSync(this.#stateFd).nlink === 0) this.#closeState(); // a new file is made instead
    } catch {
      // nothing was written yet
    }
    return false;
  }

  /** The report of the command, if it is whole and about this end. */
  readReport(exitCode: number): ShellReport | undefined {
    return this.#readReport(exitCode) ?? this.#readReport(exitCode); // the second time from a file made anew
  }

  /** Tells the shell that the end of the command was seen. The first time only makes the pipe that it is told by from then on. */
  acknowledge(): void {
    this.#seen ??= new SeenPipe(join(this.#options.dir, 'seen'));
    this.#seen.tell(this.#id);
  }

  close(): void {
    for (const fd of [this.#textFd, this.#stateFd]) if (fd !== undefined) closeSync(fd);
    this.#textFd = this.#stateFd = undefined;
    this.#seen?.close();
  }

  #writeText(bytes: Buffer): void {
    if (this.#textFd !== undefined && fstatSync(this.#textFd).nlink === 0) { // removed by a command, or a cleaning program
      closeSync(this.#textFd);
      this.#textFd = undefined;
    }
    if (this.#textFd === undefined) {
      requireSpareDescriptors();
      this.#options.makeDir();
      this.#textFd = openSync(join(this.#options.dir, 'text'), 'w+', 0o600);
    }
    this.clearText(); // of a command that never began
    this.#textBytes = bytes.length;
    for (let done = 0; done < bytes.length; ) done += writeSync(this.#textFd, bytes, done, bytes.length - done, done);
  }

  #writeCompanion(name: CompanionName, text: string): void {
    this.#options.makeDir();
    writePrivate(join(this.#options.dir, name), text);
    this.#there.add(name);
  }

  #remove(name: CompanionName): void {
    this.#there.delete(name);
    try {
      unlinkSync(join(this.#options.dir, name));
    } catch {
      // the command removed it: the folder is the user's own
    }
  }

  #readReport(exitCode: number): ShellReport | undefined {
    try {
      this.#stateFd ??= openSync(join(this.#options.dir, 'state'), 'r');
      const report = parseReport(this.#options.shell, this.#id, readWhole(this.#stateFd));
      if (report?.exitCode === exitCode) return report;
    } catch {
      // not written yet, or not at all
    }
    this.#closeState();
    return undefined;
  }

  #closeState(): void {
    if (this.#stateFd !== undefined) closeSync(this.#stateFd);
    this.#stateFd = undefined;
  }
}

function padOver(fd: number, padding: Buffer, length: number): void {
  try {
    if (length <= padding.length && writeSync(fd, padding, 0, length, 0) === length) return;
  } catch {
    // a disk that is full and writes nothing in its place
  }
  ftruncateSync(fd, 0);
}

function readWhole(fd: number): string {
  for (;;) {
    const length = readSync(fd, scratch, 0, scratch.length, 0);
    if (length < scratch.length) return scratch.toString('utf8', 0, length);
    scratch = Buffer.allocUnsafeSlow(scratch.length * 2);
  }
}
