// What handlers work with: the services of the server, and the call they are part of.
import type { CallRecord } from '../audit/call-record.ts';
import type { AuditTrail } from '../audit/trail.ts';
import type { Settings } from '../config/schema.ts';
import type { Discovery } from '../discovery/discovery.ts';
import type { StatusFacts } from '../discovery/server-status.ts';
import type { Gate } from '../policy/gate.ts';
import type { Roots } from '../policy/roots.ts';
import type { SessionTable } from '../session/table.ts';
import type { Runner } from '../task/run.ts';
import type { TaskTable } from '../task/table.ts';

/** The public methods of a class, so that tests can give something smaller. */
type Public<Class> = Pick<Class, keyof Class>;

export interface Services {
  readonly settings: Settings;
  readonly audit: Pick<AuditTrail, 'read' | 'status'>;
  readonly gate: Public<Gate>;
  readonly roots: Public<Roots>;
  readonly sessions: Public<SessionTable>;
  readonly tasks: Public<TaskTable>;
  readonly runner: Public<Runner>;
  /** What looks at this machine, in the owner's turns; loaded when it is asked for. */
  discovery(owner: string): Promise<Public<Discovery>>;
  /** What the server holds now, of one owner and of all. */
  status(owner: string): Promise<StatusFacts>;
  /** The environment that runs and tasks inherit. */
  readonly baseEnvironment: Readonly<Record<string, string>>;
}

/** One call of one client. */
export interface CallContext {
  /** Whom sessions and tasks belong to. */
  readonly owner: string;
  /** The client's connection; what was already read is remembered by it. */
  readonly connection: string;
  /** The highest class of command that the owner may run, where the setting would allow more. */
  readonly maxClass?: 'safe' | 'dangerous' | undefined;
  /** Aborted when the client cancels the call or goes away. */
  readonly signal: AbortSignal;
  /** What the audit log has of this call: told before anything of it runs. */
  readonly record: Pick<CallRecord, 'start' | 'runs'>;
  /** Tells a waiting client what goes on; absent when it did not ask. */
  readonly progress?: ((message: string, elapsedMs: number, totalMs?: number) => void) | undefined;
  /** Asks the person who uses the client; absent for a client that cannot. */
  readonly ask?: ((question: string) => Promise<'accepted' | 'declined' | 'unable'>) | undefined;
  /** The directories that the client works in, as absolute paths; empty when it has none. */
  roots(): Promise<readonly string[]>;
}

/** The progress of a wait of at most `totalMs`, as services report it; undefined when nobody asked. */
export function progressOf({ progress }: CallContext, totalMs: number): ((lastLine: string, elapsedMs: number) => void) | undefined {
  return progress === undefined ? undefined : (lastLine, elapsedMs) => progress(lastLine, elapsedMs, totalMs);
}
