// Runs the built program with some arguments, and gives what it printed and how it ended.
import { spawn, type ChildProcess } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { Home } from '../support/home.ts';
import { rememberTemporary, removeAtEnd } from '../support/leftovers.ts';
import { SERVER } from '../support/paths.ts';

export interface Ended {
  readonly stdout: string;
  readonly stderr: string;
  /** The exit status, or the signal. */
  readonly end: number | string;
}

export interface ProgramOptions {
  readonly stdin?: string | Buffer;
  readonly env?: Readonly<Record<string, string>>;
  readonly home?: Home;
  readonly cwd?: string;
}

export class Program {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;

  constructor(argv: readonly string[], { stdin = '', env, home = newHome(), cwd = home.dir }: ProgramOptions = {}) {
    this.child = spawn(process.execPath, [SERVER, ...argv], { cwd, env: { ...home.environment(), ...env }, stdio: 'pipe' });
    this.child.stdin?.on('error', () => {}); // the program may end before it has read all
    this.child.stdin?.end(stdin);
    this.ended = this.#follow(this.child);
  }

  async #follow(child: ChildProcess): Promise<Ended> {
    const ended = new Promise<number | string>((resolve) => child.once('close', (code, signal) => resolve(code ?? signal ?? '')));
    const [stdout, stderr, end] = await Promise.all([outputOf(child.stdout), outputOf(child.stderr), ended]);
    return { stdout, stderr, end };
  }
}

/** Runs to the end. */
export function runProgram(argv: readonly string[], options: ProgramOptions = {}): Promise<Ended> {
  return new Program(argv, options).ended;
}

/** A home that is removed after the file's last check. */
export function newHome(): Home {
  const home = new Home();
  rememberTemporary(home.temporary);
  rememberTemporary(home.runtime);
  removeAtEnd(home.root);
  return home;
}

function outputOf(stream: ChildProcess['stdout']): Promise<string> {
  return stream === null ? Promise.resolve('') : text(stream).catch(() => ''); // a test may close it
}
