// Starts a session's shell with as much of the user's startup files as lets it come to a prompt.
import { ExpectedError } from '../errors.ts';
import { exitCodeOf } from '../process/exit-status.ts';
import type { ExitStatus } from '../process/exit-status.ts';
import { pinDirectory } from '../process/pinned-directory.ts';
import { softRealtimeLimit } from '../process/proc.ts';
import type { Tag } from '../process/tag.ts';
import { applyTag } from '../process/tag.ts';
import { terminate } from '../process/terminate.ts';
import type { ShellReport } from '../shell/report.ts';
import type { MarkKey } from '../shell/mark.ts';
import type { SessionShellName } from '../shell/shell.ts';
import { plainText } from '../terminal/plain-text.ts';
import type { Integration } from './api.ts';
import { prepareLaunch } from './init-files.ts';
import { LiveShell } from './live-shell.ts';
import type { LiveShellEvents } from './live-shell-events.ts';

export interface StartOptions {
  readonly shell: { readonly name: SessionShellName; readonly path: string };
  readonly login: boolean;
  readonly cwd: string;
  /** The real path that cwd had when it was checked: the shell starts there or not at all. */
  readonly realCwd?: string | undefined;
  readonly env: Readonly<Record<string, string>>;
  readonly cols: number;
  readonly rows: number;
  readonly dir: string;
  /** Makes that folder again if it is gone. */
  readonly makeDir: () => void;
  readonly tag: Tag;
  readonly startTimeoutMs: number;
  readonly makeNonce: () => string;
  /** Gives the start up, with this signal's reason. */
  readonly signal: AbortSignal;
}

export interface StartedShell {
  readonly live: LiveShell;
  readonly integration: Integration;
  readonly report: ShellReport;
  /** What the startup files printed. */
  readonly output: string;
  readonly startupMs: number;
  readonly warnings: readonly string[];
}

interface Failure {
  readonly reason: string;
  readonly output: string;
  /** Whether the startup files themselves are at fault, so that leaving out only their prompt cannot help. */
  readonly isFatal: boolean;
}

const STEPS: readonly Integration[] = ['full', 'no_theme', 'no_rc'];
const REPLACED_POLL_MS = 100;
const STARTUP_OUTPUT_BYTES = 64 * 1024;
const FAILED_GRACE_MS = 500;

/** Starts the shell; throws SHELL_START_FAILED when even without startup files it does not come to a prompt, INVALID_CWD when its directory was exchanged. */
export async function startShell(options: StartOptions, events: LiveShellEvents): Promise<StartedShell> {
  const startedAt = performance.now();
  const directory = pinDirectory(options.cwd, options.realCwd);
  try {
    return await startIn({ ...options, cwd: directory.path }, events, startedAt);
  } finally {
    directory.close();
  }
}

async function startIn(options: StartOptions, events: LiveShellEvents, startedAt: number): Promise<StartedShell> {
  const warnings: string[] = [];
  let last: Failure | undefined;
  for (const integration of STEPS) {
    if (integration === 'no_theme' && last?.isFatal === true) continue;
    const outcome = await new Attempt(options, integration, events).outcome;
    options.signal.throwIfAborted();
    if (!('reason' in outcome)) return { ...outcome, integration, warnings, startupMs: performance.now() - startedAt };
    last = outcome;
    warnings.push(`${describe(integration)} ${outcome.reason}${printed(outcome.output)}`);
  }
  throw new ExpectedError('SHELL_START_FAILED', `${options.shell.path} ${last?.reason ?? 'did not start'}${printed(last?.output ?? '')}`);
}

class Attempt {
  readonly outcome: Promise<Omit<StartedShell, 'integration' | 'warnings' | 'startupMs'> | Failure>;
  readonly #options: StartOptions;
  readonly #live: LiveShell;
  readonly #output: Buffer[] = [];
  #outputBytes = 0;
  #isStarting = true;
  #settle: (result: Omit<StartedShell, 'integration' | 'warnings' | 'startupMs'> | Failure) => void = () => {};
  readonly #timers: NodeJS.Timeout[] = [];
  readonly #onAbort = (): void => void this.#fail('was given up', true);

  constructor(options: StartOptions, integration: Integration, events: LiveShellEvents) {
    this.#options = options;
    this.outcome = new Promise((resolve) => (this.#settle = resolve));
    this.#live = this.#launch(integration, events);
    this.#timers.push(setTimeout(() => this.#fail(`showed no prompt within ${options.startTimeoutMs} ms`, false), options.startTimeoutMs));
    this.#timers.push(setInterval(() => this.#checkReplaced(), REPLACED_POLL_MS));
    options.signal.addEventListener('abort', this.#onAbort);
  }

  #launch(integration: Integration, events: LiveShellEvents): LiveShell {
    const { shell, login, dir, tag, env } = this.#options;
    const key: MarkKey = { nonce: this.#options.makeNonce(), id: 'start' };
    const launch = prepareLaunch({ shell: shell.name, login, integration, dir, tag: tag.value, key, zdotdir: env['ZDOTDIR'] });
    const options = { ...this.#options, shell: shell.name, path: shell.path, args: launch.args, env: { ...env, ...launch.env }, key };
    return new LiveShell(options, {
      onStarted: () => events.onStarted(),
      onOutput: (bytes) => events.onOutput(bytes),
      onBetween: (bytes) => (this.#isStarting ? this.#collect(bytes) : events.onBetween(bytes)),
      onFinished: (exitCode, report, cpuMs) => (this.#isStarting ? this.#ready(report) : events.onFinished(exitCode, report, cpuMs)),
      onLost: (hasRun) => events.onLost(hasRun),
      onEnded: (status) => (this.#isStarting ? this.#died(status) : events.onEnded(status)),
    });
  }

  #collect(bytes: Buffer): void {
    if (this.#outputBytes < STARTUP_OUTPUT_BYTES) this.#output.push(bytes);
    this.#outputBytes += bytes.length;
  }

  #ready(report: ShellReport | undefined): void {
    if (report === undefined) return void this.#fail(`could not write its state to "${this.#options.dir}"`, true);
    this.#stopTimers();
    this.#isStarting = false;
    const { pid } = this.#live.leader;
    // fish and bash before 5.1 cannot set the limit by themselves; until now the shell carried the server's
    if (softRealtimeLimit(pid) !== this.#options.tag.value) void applyTag(pid, this.#options.tag);
    this.#settle({ live: this.#live, report, output: this.#text() });
  }

  #died(status: ExitStatus): void {
    const how = status.kind === 'signaled' ? `was ended by ${status.signal}` : `ended with exit code ${exitCodeOf(status)}`;
    void this.#fail(`${how} before its first prompt`, true);
  }

  /** `exec fish` in a .bashrc: what then runs knows nothing of us. */
  #checkReplaced(): void {
    const replacement = this.#live.replacement();
    if (replacement !== undefined) void this.#fail(`was replaced by "${replacement}" (exec)`, true);
  }

  async #fail(reason: string, isFatal: boolean): Promise<void> {
    if (!this.#isStarting) return;
    this.#isStarting = false;
    this.#stopTimers();
    const { leader } = this.#live;
    await terminate({ leader, tag: this.#options.tag }, { graceMs: FAILED_GRACE_MS, first: ['SIGHUP', 'SIGTERM'] });
    this.#live.close();
    this.#settle({ reason, output: this.#text(), isFatal });
  }

  #stopTimers(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#options.signal.removeEventListener('abort', this.#onAbort);
  }

  /** Without the complaints of `bind` in a startup file: bash runs without its line editor. */
  #text(): string {
    const { text } = plainText(Buffer.concat(this.#output).toString());
    return text.replaceAll(/^.*: bind: warning: line editing not enabled\n/gm, '').trim();
  }
}

function describe(integration: Integration): string {
  return integration === 'no_theme' ? 'with the startup files but without their prompt the shell' : 'with the startup files the shell';
}

function printed(output: string): string {
  return output === '' ? '' : `; it printed: ${output.slice(-1_000)}`;
}
