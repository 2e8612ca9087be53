// What the tools give to and get from sessions.
import type { Facts } from '../audit/entry.ts';
import type { Rendered } from '../output/render.ts';
import type { SearchResult } from '../output/search.ts';
import type { Surroundings } from '../policy/judge.ts';
import type { SessionPlace } from '../policy/roots.ts';
import type { Typed, TypedInput } from '../policy/typed-input.ts';
import type { Job } from '../shell/jobs.ts';
import type { SessionShellName } from '../shell/shell.ts';
import type { ScreenView } from '../terminal/screen.ts';
import type { Until } from '../waiting/until.ts';

export interface CreateOptions {
  /** At most 64 characters; names may repeat. */
  readonly name?: string;
  /** Absolute, existing, allowed, real: if it leads elsewhere by now, no shell starts. */
  readonly cwd: string;
  readonly shell?: SessionShellName;
  readonly login: boolean;
  readonly env: Readonly<Record<string, string>>;
  readonly cols: number;
  readonly rows: number;
}

/** How far the user's startup files could be kept: all, all but their prompt and prompt hooks, none. */
export type Integration = 'full' | 'no_theme' | 'no_rc';

export interface CreatedSession {
  readonly sessionId: string;
  readonly name: string;
  readonly shell: SessionShellName;
  readonly shellPath: string;
  readonly shellVersion?: string;
  readonly integration: Integration;
  readonly pid: number;
  readonly cwd: string;
  readonly cols: number;
  readonly rows: number;
  readonly startupMs: number;
  /** What the startup files printed. */
  readonly startupOutput?: string;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
  readonly warnings: readonly string[];
}

/** Called about once a second while a call waits: the last line of output, and for how long it has waited. */
export type OnProgress = (lastLine: string, elapsedMs: number) => void;

export interface Waiting {
  readonly timeoutMs: number;
  /** What is waited for, beside the end of the command. */
  readonly until?: Until;
  readonly maxOutputBytes: number;
  readonly onProgress?: OnProgress;
}

export interface RunInSession extends Waiting {
  readonly onTimeout: 'keep' | 'interrupt';
  readonly stderr: 'merged' | 'separate';
  /** Variables for this command only. */
  readonly env: Readonly<Record<string, string>>;
  /** How long to wait for a busy session. */
  readonly queueMs: number;
  /** Called with where the command runs when its turn has come; throws if it must not run there. */
  readonly approveAgain?: (where: Surroundings) => Promise<void>;
  /** Called when it runs; the function that it gives, when it is over, whether the call still waits for it or not. */
  readonly onRunning?: () => (end: Facts) => void;
}

/** Input that a shell in a session would read as commands. */
export interface InputForShell {
  readonly input: TypedInput;
  readonly typed: Typed;
  readonly where: Surroundings;
  /** The command that the shell belongs to was started with "dangerous". */
  readonly isOverridden: boolean;
}

export interface SendOptions extends Waiting {
  readonly text?: string;
  readonly enter: boolean;
  readonly keys: readonly string[];
  readonly cols?: number;
  readonly rows?: number;
  /** Called when a shell would read it; throws if it must not. */
  readonly approveInput?: (request: InputForShell) => Promise<void>;
  /** Called before it is typed, with whether a secret was asked for; throws if it must not be typed. */
  readonly onSend?: (input: { readonly isSecret: boolean }) => void;
}

export interface ReadOptions extends Waiting {
  readonly view: 'output' | 'transcript' | 'screen';
  readonly commandId?: string;
  /** Raw byte offset in that view; negative counts from the end. */
  readonly cursor?: number;
  /** The answer holds the lines that match instead of the text. */
  readonly search?: { readonly pattern: string; readonly contextLines: number };
}

export interface InterruptOptions {
  readonly graceMs: number;
  readonly maxOutputBytes: number;
}

/** What a command changed in the shell: names only. */
export interface Changes {
  readonly cwd?: string;
  readonly envSet?: readonly string[];
  readonly envUnset?: readonly string[];
  readonly aliases?: readonly string[];
  readonly functions?: readonly string[];
  readonly options?: readonly string[];
}

export interface ProcessName {
  readonly pid: number;
  readonly name: string;
}

/** What an interruption did. */
export interface Ladder {
  readonly tried: readonly string[];
  /** The step after which the command was over; absent when none was. */
  readonly worked?: string;
  readonly alive: readonly ProcessName[];
  /** Nothing worked because it is the shell itself that goes on with the command. */
  readonly isShellDeaf?: true;
}

/** What the program in the foreground is blocked on. */
export interface Awaiting {
  /** `secret`: what is typed is not shown; `keys`: a line editor or a full-screen program. */
  readonly kind: 'line' | 'secret' | 'keys' | 'unknown';
  readonly program: string;
  readonly pid: number;
  /** The unfinished last line of the output; empty on the alternate screen. */
  readonly prompt: string;
  /** Whether the kernel shows it, or only quiet and the terminal's mode. */
  readonly proof: 'kernel' | 'quiet';
}

export type CommandState = 'done' | 'running' | 'ended';

/** What an answer says: of a command that runs also what it waits for, and why the call came back. */
export type ReportState = CommandState | 'awaiting_input' | 'full_screen' | 'matched';

export interface CommandReport {
  readonly sessionId: string;
  /** Absent while nothing has run, and for the transcript. */
  readonly commandId?: string;
  readonly state: ReportState;
  readonly awaiting?: Awaiting;
  /** Of a full-screen program, or when it was asked for. */
  readonly screen?: ScreenView;
  /** What a search has found; the output is empty then. */
  readonly found?: SearchResult;
  readonly output: Rendered;
  readonly stderr?: Rendered;
  /** The command's (`done`) or the shell's own (`ended`); never a guess. */
  readonly exitCode?: number;
  readonly signal?: string;
  readonly durationMs: number;
  readonly cwd: string;
  readonly changes?: Changes;
  readonly background?: readonly Job[];
  /** CPU time of the shell and its ended children during the command, from the kernel's clock ticks. */
  readonly cpuMs?: number;
  /** Raw byte offset up to which this answer has told the view. */
  readonly cursor: number;
  readonly ladder?: Ladder;
  readonly warnings: readonly string[];
}

export type SessionState = 'starting' | 'idle' | 'running' | 'ended';

export interface SessionSummary {
  readonly sessionId: string;
  readonly name: string;
  readonly shell: SessionShellName;
  readonly state: SessionState;
  readonly cwd: string;
  readonly command?: string;
  readonly createdAt: string;
  readonly lastUsedAt: string;
  readonly envCount: number;
  readonly commandsRun: number;
}

export interface Destroyed {
  readonly sessionId: string;
  readonly killed: readonly ProcessName[];
  readonly survivors: readonly ProcessName[];
}

/** What a run or a task started beside a session takes over. */
export interface Beside extends SessionPlace {
  readonly env: Record<string, string>;
  readonly umask?: number;
}
