// A floor: a shell on a bare node-pty. It evaluates a file and prints a mark; nothing is framed, kept, cleaned or checked.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import pty from 'node-pty';

/** As fast as each shell can be made to answer: no rc file in bash and zsh, no line editor where it can be switched off. */
const START = {
  bash: { args: ['--noprofile', '--norc', '--noediting', '-i'], setUp: '' },
  zsh: { args: ['-f', '-i'], setUp: 'unsetopt zle prompt_sp; ' },
  fish: { args: ['-i'], setUp: '' },
};
const MARK = Buffer.from('\x1b]133;D;');
/** fish pads a line of its own behind the mark. */
const LOOK_BACK = 1_024;
/** The mark is written with escapes, so that the echo of the typed line is not taken for it. */
const PRINT_MARK = "printf '\\033]133;D;done\\007'";

export class BareShell {
  #terminal;
  #shell;
  #file;
  #tail = Buffer.alloc(0);
  #onMark = () => {};
  #ended;

  /** @param {{ shell: 'bash' | 'zsh' | 'fish', env: Record<string, string>, folder: string, name?: string }} options */
  constructor({ shell, env, folder, name = 'command' }) {
    this.#shell = shell;
    this.#file = path.join(folder, `bare-${shell}-${name}`);
    this.#terminal = pty.spawn(shell, START[shell].args, { name: 'xterm-256color', cols: 120, rows: 40, cwd: env['HOME'], env: { ...env, TERM: 'xterm-256color', fish_features: 'no-query-term' }, encoding: null });
    this.#terminal.onData((chunk) => this.#look(chunk));
    this.#ended = new Promise((resolve) => this.#terminal.onExit(resolve));
  }

  /** Waits until the shell has read its first line. `quietNewlines` takes the kernel's translation of each newline away. */
  async open({ quietNewlines = false } = {}) {
    await this.#type(`${START[this.#shell].setUp}stty -echo${quietNewlines ? ' -onlcr' : ''}; ${PRINT_MARK}`);
  }

  /** What `evaluate` evaluates from now on. */
  prepare(command) {
    writeFileSync(this.#file, command);
  }

  /** Evaluates the prepared file. */
  evaluate() {
    const line = this.#shell === 'fish'
      ? `read -z c <${this.#file}; eval $c; ${PRINT_MARK}`
      : `IFS= builtin read -rd '' c <${this.#file}; builtin eval "$c"; ${PRINT_MARK}`;
    return this.#type(line);
  }

  async close() {
    this.#terminal.kill('SIGKILL');
    await this.#ended;
  }

  #type(line) {
    return new Promise((resolve) => {
      this.#onMark = resolve;
      this.#terminal.write(`${line}\r`);
    });
  }

  /** The mark is near the end of what comes, but may be cut in two by the borders of chunks. */
  #look(chunk) {
    const end = chunk.length >= LOOK_BACK ? chunk.subarray(chunk.length - LOOK_BACK) : Buffer.concat([this.#tail, chunk]).subarray(-LOOK_BACK);
    this.#tail = end;
    if (end.lastIndexOf(MARK) < 0) return;
    this.#tail = Buffer.alloc(0);
    const done = this.#onMark;
    this.#onMark = () => {};
    done();
  }
}
