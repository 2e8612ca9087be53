// What runs and tasks take and give: the camelCase twins of what is on the wire.
import type { Facts } from '../audit/entry.ts';
import type { FoundLine } from '../output/found-lines.ts';
import type { Rendered } from '../output/render.ts';
import type { Surroundings } from '../policy/judge.ts';
import type { Typed, TypedInput } from '../policy/typed-input.ts';
import type { ShellName } from '../shell/shell.ts';
import type { Until } from '../waiting/until.ts';

/** Input that a shell in a task would read as commands. */
export interface InputForShell {
  readonly input: TypedInput;
  readonly typed: Typed;
  readonly where: Surroundings;
  /** The task was started with "dangerous". */
  readonly isOverridden: boolean;
}

export interface TaskInput {
  readonly text: string;
  readonly eof: boolean;
  /** Called when a shell would read it; throws if it must not. */
  readonly approveInput?: (request: InputForShell) => Promise<void>;
  /** Called before it is written; throws if it must not be. */
  readonly onWrite?: (input: { readonly isSecret: boolean }) => void;
}

/** Where a command runs, and with what. */
export interface Place {
  /** Absolute, existing, allowed. */
  readonly cwd: string;
  /** Its real path when it was checked: if it leads elsewhere by now, nothing starts. */
  readonly realCwd?: string;
  /** The complete environment of the child. */
  readonly env: Readonly<Record<string, string>>;
  readonly umask?: number;
}

/** Called about once a second while a call waits, with the last line of the output. */
export type OnProgress = (lastLine: string, elapsedMs: number) => void;

export interface RunOptions extends Place {
  /** The setting `run_shell` when absent. */
  readonly shell?: ShellName;
  readonly login: boolean;
  /** Text for standard input; /dev/null when absent. */
  readonly stdin?: string;
  /** Of the command's whole life, without the time in the queue. */
  readonly timeoutMs: number;
  /** Of each stream. */
  readonly maxOutputBytes: number;
  /** Called when it runs; the function that it gives, when it is over, whether the call still waits for it or not. */
  readonly onRunning?: () => (end: Facts) => void;
  readonly onProgress?: OnProgress;
}

export interface RunResult {
  readonly stdout: Rendered;
  readonly stderr: Rendered;
  readonly exitCode: number;
  /** What ended it, by name. */
  readonly signal?: string;
  readonly durationMs: number;
  readonly queueMs: number;
  readonly timedOut: boolean;
  readonly cwd: string;
  readonly shell: ShellName;
  /** Members of its process group that were alive when the shell had ended. They go on. */
  readonly backgroundPids: readonly number[];
  readonly warnings: readonly string[];
}

export interface SpawnOptions extends Place {
  readonly name?: string;
  /** The setting `shell`, else the user's, when absent. */
  readonly shell?: ShellName;
  readonly login: boolean;
  readonly stdin: 'none' | 'pipe';
  /** What the caller, or a session beside, has set for it: it may be code. */
  readonly codeEnvironment?: Readonly<Record<string, string>>;
  /** Lifetime from the start of the shell; none when absent. */
  readonly timeoutMs?: number;
  /** Called when it runs; the function that it gives, when it is over, whether the call still waits for it or not. */
  readonly onRunning?: () => (end: Facts) => void;
}

/** `exited`: ended by itself; `terminated`: by a timeout, a request, or the end of the server. */
export type TaskState = 'queued' | 'running' | 'exited' | 'terminated';
export type EndedBy = 'itself' | 'timeout' | 'request' | 'shutdown';

export interface SpawnedTask {
  readonly taskId: string;
  readonly name?: string;
  readonly state: 'running' | 'queued';
  readonly pid?: number;
  readonly command: string;
  readonly cwd: string;
  /** ISO 8601. */
  readonly startedAt: string;
}

export interface TaskSummary {
  readonly taskId: string;
  readonly name?: string;
  readonly command: string;
  readonly state: TaskState;
  readonly done: boolean;
  readonly exitCode?: number;
  readonly signal?: string;
  readonly elapsedMs: number;
  /** What no connection has read yet. */
  readonly unreadBytes: number;
}

export interface PollOptions {
  /** How long to wait for the end or for `until`; 0 looks once. */
  readonly waitMs: number;
  /** What to wait for beside the end. */
  readonly until?: Until;
  /** Give the lines that match instead of what is new. */
  readonly search?: SearchRequest;
  readonly terminate: boolean;
  /** Sent instead. */
  readonly signal?: NodeJS.Signals;
  /** Raw byte offsets; negative ones count from the end; the connection's own place when absent. */
  readonly stdoutCursor?: number;
  readonly stderrCursor?: number;
  /** Of each stream. */
  readonly maxOutputBytes: number;
  readonly onProgress?: OnProgress;
}

export interface SearchRequest {
  /** A regular expression. */
  readonly pattern: string;
  readonly contextLines: number;
}

export interface WaitOptions {
  /** Wait for all to end; otherwise for the first. */
  readonly all: boolean;
  /** What to wait for beside the end, of each. */
  readonly until?: Until;
  readonly timeoutMs: number;
  readonly maxOutputBytes: number;
  readonly onProgress?: OnProgress;
}

/** A line of output that a search has found. */
export interface StreamMatch extends FoundLine {
  readonly stream: 'stdout' | 'stderr';
}

export interface TaskReport {
  readonly taskId: string;
  readonly state: TaskState;
  readonly finished: boolean;
  readonly stdout: Rendered;
  readonly stderr: Rendered;
  /** Only of a finished task; absent when it never started. */
  readonly exitCode?: number;
  readonly signal?: string;
  readonly endedBy?: EndedBy;
  /** Since the start of the shell; stops at the end. */
  readonly elapsedMs: number;
  readonly stdoutCursor: number;
  readonly stderrCursor: number;
  /** Bytes of both streams that were dropped before they were read. */
  readonly lostBytes: number;
  /** What was waited for beside the end was there. */
  readonly matched?: true;
  /** Only of a search: the lines found, as far as there was room, and how many there are. */
  readonly matches?: readonly StreamMatch[];
  readonly matchesTotal?: number;
  readonly warnings: readonly string[];
}
