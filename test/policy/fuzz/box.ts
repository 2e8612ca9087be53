// Runs generated programs where they can do no harm, and tells which of them ran the stub.
// The box is a throwaway directory; the search path has the stub and a few linked tools, nothing else. Root runs them as nobody, and bubblewrap stands around them where it is installed.
import { spawn } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findProgram } from '../../support/shells.ts';
import { STUB } from './program.ts';

const TOOLS = ['awk', 'base64', 'bash', 'cat', 'env', 'find', 'flock', 'grep', 'make', 'nice', 'nohup', 'perl', 'rev', 'sed', 'setsid', 'sh', 'split', 'stdbuf', 'tee', 'timeout', 'tr', 'xargs'];
const NOBODY = 65_534;
const BATCH_MS = 120_000;

/** Each program in a bash of its own: five seconds, little of everything, nothing to read. */
const DRIVER = `
ulimit -t 5 -f 2048
for file in "$@"; do
  export FUZZ_NUMBER="\${file##*/}"
  timeout -k 1 5 bash -O expand_aliases "$file"
  if test $? = 2; then bash -n "$file" || echo "$FUZZ_NUMBER" >> "$FUZZ_NOTES/unreadable"; fi
done
`;
const STUB_SCRIPT = `#!/bin/sh
case " $*" in *" /dev/sd"*) echo "$FUZZ_NUMBER" >> "$FUZZ_NOTES/ran" ;; esac
`;

export interface Observed {
  /** Numbers of the programs that ran the stub with a device. */
  readonly ran: ReadonlySet<number>;
  /** Those that bash itself cannot parse to the end. */
  readonly unreadable: ReadonlySet<number>;
}

export class Box {
  readonly #root = mkdtempSync(path.join(tmpdir(), 'shellkeep-fuzz-'));
  readonly #isRoot = process.getuid?.() === 0;

  constructor() {
    for (const name of ['bin', 'tools', 'work', 'notes', 'programs']) mkdirSync(path.join(this.#root, name));
    writeFileSync(path.join(this.#root, 'bin', STUB), STUB_SCRIPT);
    chmodSync(path.join(this.#root, 'bin', STUB), 0o755);
    for (const tool of TOOLS) {
      const file = findProgram(tool);
      if (file !== undefined) symlinkSync(file, path.join(this.#root, 'tools', tool));
    }
    for (const name of ['notes/ran', 'notes/unreadable']) writeFileSync(path.join(this.#root, name), '');
    if (this.#isRoot) for (const name of ['', 'bin', 'tools', 'work', 'notes', 'notes/ran', 'notes/unreadable', 'programs']) chownSync(path.join(this.#root, name), NOBODY, NOBODY);
  }

  /** Runs the programs of these numbers, one after the other. */
  async run(programs: ReadonlyMap<number, string>): Promise<void> {
    const files = [...programs].map(([number, text]) => {
      const file = path.join(this.#root, 'programs', String(number));
      writeFileSync(file, text);
      return file;
    });
    const [command = '', ...args] = [...this.#walls(), findProgram('bash') ?? 'bash', '-c', DRIVER, 'driver', ...files];
    const child = spawn(command, args, {
      cwd: path.join(this.#root, 'work'), timeout: BATCH_MS, killSignal: 'SIGKILL', env: this.#environment(),
      // whoever is left holds descriptor 3, and the child is closed only when nobody does
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'], ...(this.#isRoot ? { uid: NOBODY, gid: NOBODY } : {}),
    });
    const code = await new Promise((resolve, reject) => child.on('error', reject).on('close', resolve));
    if (code === null) throw new Error(`programs ${[...programs.keys()].join(', ')} did not end`);
  }

  observed(): Observed {
    const numbers = (name: string): Set<number> => new Set(readFileSync(path.join(this.#root, 'notes', name), 'utf8').split('\n').filter((line) => line !== '').map(Number));
    return { ran: numbers('ran'), unreadable: numbers('unreadable') };
  }

  remove(): void {
    rmSync(this.#root, { recursive: true, force: true, maxRetries: 3 });
  }

  #walls(): string[] {
    const bubblewrap = findProgram('bwrap');
    if (bubblewrap === undefined) return [];
    return [bubblewrap, '--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc', '--bind', this.#root, this.#root, '--unshare-net', '--unshare-pid', '--die-with-parent', '--'];
  }

  #environment(): NodeJS.ProcessEnv {
    const [bin, tools, work] = ['bin', 'tools', 'work'].map((name) => path.join(this.#root, name));
    return { PATH: `${bin}:${tools}`, BOX: bin, HOME: work, TMPDIR: work, FUZZ_NOTES: path.join(this.#root, 'notes'), FUNCNEST: '50', LANG: 'C.UTF-8' };
  }
}
