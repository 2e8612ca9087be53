// What the tests of process/ share: a server's worth of services in a temporary folder, and commands run to their end.
import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Child } from '../../src/process/child.ts';
import { baseEnvironment } from '../../src/process/environment.ts';
import type { ExitStatus } from '../../src/process/exit-status.ts';
import { findShell } from '../../src/process/find-shell.ts';
import { Launcher, type ChildOptions } from '../../src/process/launcher.ts';
import { Pty, type PtyOptions } from '../../src/process/pty.ts';
import { RuntimeDir } from '../../src/process/runtime-dir.ts';
import { randomServerBits, TagSpace } from '../../src/process/tag.ts';
import { terminate } from '../../src/process/terminate.ts';
import type { ShellName } from '../../src/shell/shell.ts';

export const environment: Readonly<Record<string, string>> = baseEnvironment(process.env, { quiet: true });

export interface Ended {
  readonly status: ExitStatus;
  readonly stdout: string;
  readonly stderr: string;
  readonly durationMs: number;
}

/** A command that was started, and its end. */
export interface Started {
  readonly child: Child;
  readonly ended: Promise<Ended>;
  output(): string;
}

export interface CommandOptions extends Partial<Omit<ChildOptions, 'shell' | 'command' | 'stdin'>> {
  readonly shell?: ShellName;
  readonly stdin?: 'none' | 'pipe' | string;
}

/** The services of one server; everything is ended and removed by close(). */
export class Kernel {
  readonly root = mkdtempSync(join(tmpdir(), 'shellkeep-test-'));
  readonly tags = new TagSpace(randomServerBits());
  readonly runtimeDir = new RuntimeDir({ serverBits: this.tags.serverBits, env: { XDG_RUNTIME_DIR: this.root } });
  readonly launcher = new Launcher({ tags: this.tags, runtimeDir: this.runtimeDir, env: process.env });

  async start(command: string, options: CommandOptions = {}): Promise<Started> {
    const { shell = 'bash', stdin = 'none', ...rest } = options;
    const startedAt = performance.now();
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    let onEnd: (status: ExitStatus) => void = () => undefined;
    const status = new Promise<ExitStatus>((resolve) => (onEnd = resolve));
    const input = stdin === 'none' || stdin === 'pipe' ? stdin : Buffer.from(stdin);
    const defaults = { login: false, cwd: this.root, env: environment, tag: this.tags.next() };
    const child = await this.launcher.start(
      { ...defaults, ...rest, shell: findShell(shell, process.env), command, stdin: input },
      { onStdout: (chunk) => out.push(chunk), onStderr: (chunk) => err.push(chunk), onEnd },
    );
    const text = (chunks: readonly Buffer[]): string => Buffer.concat(chunks).toString();
    const ended = status.then((value) => ({ status: value, stdout: text(out), stderr: text(err), durationMs: performance.now() - startedAt }));
    return { child, ended, output: () => text(out) };
  }

  /** Runs a command to its end. */
  async run(command: string, options: CommandOptions = {}): Promise<Ended> {
    return (await this.start(command, options)).ended;
  }

  async close(): Promise<void> {
    await terminate({ tag: this.tags }, { graceMs: 0 });
    await this.launcher.close();
    this.runtimeDir.remove();
    rmSync(this.root, { recursive: true, force: true, maxRetries: 3 });
  }
}

export interface OpenPty {
  readonly pty: Pty;
  readonly ended: Promise<ExitStatus>;
  output(): string;
  /** Waits until the output holds a text. */
  until(text: string): Promise<void>;
}

/** Opens a terminal with a program in it. Whoever opens it closes it. */
export function openPty(options: Partial<PtyOptions> = {}): OpenPty {
  let output = '';
  const waiting = new Set<() => void>();
  let onEnd: (status: ExitStatus) => void = () => undefined;
  const ended = new Promise<ExitStatus>((resolve) => (onEnd = resolve));
  const bash = findShell('bash', process.env).path;
  const pty = new Pty(
    { file: bash, args: ['--norc', '--noediting'], env: environment, cwd: tmpdir(), cols: 80, rows: 24, ...options },
    {
      onData: (chunk) => {
        output += chunk.toString('latin1');
        for (const look of waiting) look();
      },
      onEnd,
    },
  );
  const until = (text: string): Promise<void> =>
    new Promise((resolve) => {
      const look = (): void => {
        if (!output.includes(text)) return;
        waiting.delete(look);
        resolve();
      };
      waiting.add(look);
      look();
    });
  return { pty, ended, output: () => output, until };
}

/** The command lines of what a shell runs as `-c`. */
export function script(command: string): Pick<PtyOptions, 'args'> {
  return { args: ['--norc', '-c', command] };
}

/** Descriptors that this process has open. */
export function openDescriptors(): number {
  return readdirSync('/proc/self/fd').length;
}

/** Terminals that this process has open, at either side. */
export function openTerminals(): string[] {
  return readdirSync('/proc/self/fd').map((fd) => linkOf(`/proc/self/fd/${fd}`)).filter((target) => /^\/dev\/(ptmx|pts\/)/.test(target));
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return ''; // the descriptor of the listing itself
  }
}

/** Children of this process that nobody has waited for. */
export function zombies(): string[] {
  return readdirSync('/proc').filter((pid) => /^\d+$/.test(pid) && isOwnZombie(pid));
}

function isOwnZombie(pid: string): boolean {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').replace(/^.*\) /s, '').split(' ');
    return fields[0] === 'Z' && fields[1] === String(process.pid);
  } catch {
    return false;
  }
}

/** Waits until something holds; gives up after five seconds. */
export async function eventually(holds: () => boolean): Promise<void> {
  for (const deadline = performance.now() + 5_000; !holds(); await sleep(5)) {
    if (performance.now() > deadline) throw new Error('it never came true');
  }
}
