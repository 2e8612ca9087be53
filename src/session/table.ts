// All sessions: who may use which, how many there may be, and the calls that tools make on them.
import type { Facts } from '../audit/entry.ts';
import type { OutputStore } from '../output/store.ts';
import type { SessionWords } from '../discovery/shell-words.ts';
import { ExpectedError } from '../errors.ts';
import { isId } from '../lib/ids.ts';
import type { MakeId } from '../lib/ids.ts';
import type { ApprovedCommand } from '../policy/gate.ts';
import type { Surroundings } from '../policy/judge.ts';
import { exitCodeOf } from '../process/exit-status.ts';
import { findShell, shellVersion, userShell } from '../process/find-shell.ts';
import { terminalEnvironment } from '../process/environment.ts';
import type { Target } from '../process/members.ts';
import type { RuntimeDir } from '../process/runtime-dir.ts';
import type { TagSpace } from '../process/tag.ts';
import { terminate } from '../process/terminate.ts';
import type { Termination } from '../process/terminate.ts';
import type { SessionShellName } from '../shell/shell.ts';
import type { Beside, CommandReport, CreateOptions, CreatedSession, Destroyed, InterruptOptions, ReadOptions, RunInSession, SendOptions, SessionSummary } from './api.ts';
import { surroundingsOf } from './code-variables.ts';
import { interruptCommand, runInSession, sendToSession } from './calls.ts';
import { IdleReaper } from './idle-reaper.ts';
import { Notifier } from '../lib/notifier.ts';
import { lookAt, watchView } from './onlooker.ts';
import type { SessionView } from './onlooker.ts';
import { limitReached } from './limit.ts';
import { readSession } from './read.ts';
import { Session } from './session.ts';
import { summaryOf } from './summary.ts';
import { wordsOf } from './words.ts';
import { Whereabouts } from './whereabouts.ts';
import type { WhereaboutsOptions } from './whereabouts.ts';

export interface SessionSettings {
  readonly maxSessions: number;
  readonly retentionS: number;
  /** 0: never. */
  readonly idleTimeoutS: number;
  readonly startTimeoutMs: number;
  readonly shell: SessionShellName | undefined;
  readonly cwdPolicy?: WhereaboutsOptions['policy'];
}

export interface SessionServices {
  readonly roots?: WhereaboutsOptions['roots'];
  readonly settings: SessionSettings;
  readonly store: OutputStore;
  readonly tags: TagSpace;
  readonly runtimeDir: RuntimeDir;
  /** Of runs and tasks; sessions add what a terminal has. */
  readonly baseEnvironment: Readonly<Record<string, string>>;
  readonly makeId: MakeId;
  /** A fresh secret of letters and digits. */
  readonly makeNonce: () => string;
  /** Told what happens to a session without a call. */
  readonly onEvent?: (event: 'session_ended' | 'session_reaped', facts: Facts) => void;
}

const SHUTDOWN_GRACE_MS = 700;

export class SessionTable {
  readonly #services: SessionServices;
  readonly #sessions = new Map<string, Session>();
  readonly #reaper: IdleReaper;
  readonly #whereabouts: Whereabouts;
  /** Sessions come and go; whose, is told. */
  readonly #listChanges = new Notifier<[owner: string]>();
  #isShuttingDown = false;

  constructor(services: SessionServices) {
    this.#services = services;
    this.#whereabouts = new Whereabouts({ roots: services.roots, policy: services.settings.cwdPolicy ?? 'report' });
    this.#reaper = new IdleReaper(services.settings.idleTimeoutS, () => [...this.#sessions.values()], (session) => this.#reap(session));
  }

  /** Opens a session. Throws SESSION_LIMIT, SHELL_NOT_FOUND, SHELL_START_FAILED, RESOURCE_EXHAUSTED. */
  async create(owner: string, options: CreateOptions, signal: AbortSignal): Promise<CreatedSession> {
    if (this.#isShuttingDown) throw new ExpectedError('SHUTTING_DOWN', 'the server is ending');
    const { maxSessions } = this.#services.settings;
    if (this.countOf(owner) >= maxSessions) throw limitReached(this.countOf(owner), maxSessions, this.list(owner));
    const session = this.#open(owner, options);
    this.#sessions.set(session.options.id, session);
    this.#listChanges.notify(owner);
    try {
      await this.#services.tags.applyToServer();
      const [started, version] = await Promise.all([session.start(), shellVersion(session.options.shell)]);
      if (signal.aborted) throw new ExpectedError('INTERNAL', 'the call was cancelled; no session was kept');
      return {
        sessionId: session.options.id,
        name: session.options.name,
        shell: session.options.shell.name,
        shellPath: session.options.shell.path,
        ...(version === undefined ? {} : { shellVersion: version }),
        integration: started.integration,
        pid: started.live.leader.pid,
        cwd: session.cwd,
        cols: options.cols,
        rows: options.rows,
        startupMs: started.startupMs,
        ...(started.output === '' ? {} : { startupOutput: started.output }),
        createdAt: session.createdAt.toISOString(),
        warnings: [...started.warnings, ...(await this.#whereabouts.warnings(session, session.cwd !== options.cwd))],
      };
    } catch (error) {
      await this.#end(session, SHUTDOWN_GRACE_MS);
      throw error;
    }
  }

  async run(owner: string, id: string, command: ApprovedCommand, options: RunInSession, signal: AbortSignal): Promise<CommandReport> {
    const session = this.#get(owner, id);
    session.history.prune(this.#services.settings.retentionS * 1_000);
    const admit = (): Promise<void> => this.#whereabouts.admit(session, command.text);
    return this.#located(session, await runInSession(session, command, { ...options, commandId: this.#services.makeId('c'), admit }, signal));
  }

  async send(owner: string, id: string, options: SendOptions, signal: AbortSignal): Promise<CommandReport> {
    const session = this.#get(owner, id);
    return this.#located(session, await sendToSession(session, options, signal));
  }

  async read(owner: string, id: string, options: ReadOptions, signal: AbortSignal): Promise<CommandReport> {
    return readSession(this.#get(owner, id), options, signal);
  }

  async interrupt(owner: string, id: string, options: InterruptOptions, signal: AbortSignal): Promise<CommandReport> {
    const session = this.#get(owner, id);
    return this.#located(session, await interruptCommand(session, options, signal));
  }

  /** The owner's sessions, most recently used first. */
  list(owner: string): SessionSummary[] {
    const own = [...this.#sessions.values()].filter((session) => isOf(owner, session));
    return own.sort((a, b) => b.lastUsedAt.getTime() - a.lastUsedAt.getTime()).map(summaryOf);
  }

  /** What is to be seen of a session, as text: nothing counts as read, and nothing is waited for. Throws SESSION_NOT_FOUND. */
  async look(owner: string, id: string, view: SessionView, maxBytes: number): Promise<string> {
    return lookAt(this.#get(owner, id), view, maxBytes);
  }

  /** Calls the listener when there is something else to be seen, and at the end, until the returned function is called. Throws SESSION_NOT_FOUND. */
  watch(owner: string, id: string, listener: () => void): () => void {
    return watchView(this.#get(owner, id), listener);
  }

  /** Whether the owner has this session. */
  has(owner: string, id: string): boolean {
    const session = this.#sessions.get(id);
    return session !== undefined && isOf(owner, session);
  }

  /** Calls the listener when a session of the owner was opened or has ended, until the returned function is called. */
  onListChange(owner: string, listener: () => void): () => void {
    return this.#listChanges.listen((changed) => changed === owner && listener());
  }

  /** Ends the shell and everything that it started. The second time there is no such session. */
  async destroy(owner: string, id: string, { graceMs }: { readonly graceMs: number }): Promise<Destroyed> {
    const session = this.#get(owner, id);
    const { killed, survivors } = await this.#end(session, graceMs);
    return { sessionId: id, killed, survivors };
  }

  /** What the class of a command in it depends on. Throws SESSION_NOT_FOUND. */
  surroundings(owner: string, id: string): Surroundings {
    return surroundingsOf(this.#get(owner, id));
  }

  /** What names mean in it. Throws SESSION_NOT_FOUND, SESSION_BUSY. */
  words(owner: string, id: string): SessionWords {
    return wordsOf(this.#get(owner, id));
  }

  /** Of all owners. */
  get count(): number {
    return this.#sessions.size;
  }

  /** How many have been ended because nobody used them. */
  get reaped(): number {
    return this.#reaper.ended;
  }

  /** Those of one owner that take a place, also while they end. */
  countOf(owner: string): number {
    return [...this.#sessions.values()].filter((session) => session.options.owner === owner).length;
  }

  /** What a run or a task beside the session takes over: as of the shell's last prompt. */
  beside(owner: string, id: string): Beside {
    const session = this.#get(owner, id);
    const { umask, exported } = session.shellState ?? {};
    return { cwd: session.cwd, startedIn: session.options.cwd, env: Object.fromEntries(exported ?? []), ...(umask === undefined ? {} : { umask }) };
  }

  /** Ends all sessions at once. */
  async shutdown(): Promise<void> {
    this.#isShuttingDown = true;
    this.#reaper.stop();
    const sessions = [...this.#sessions.values()];
    if (sessions.length === 0) return;
    const ending = endTargets(sessions.map(({ target }) => target), SHUTDOWN_GRACE_MS); // one look at all processes is for all of them
    await Promise.all(sessions.map((session) => this.#close(session, () => ending)));
  }

  /** The report with what is to be said about where the session is. */
  async #located(session: Session, report: CommandReport): Promise<CommandReport> {
    const warnings = await this.#whereabouts.warnings(session, report.changes?.cwd !== undefined);
    return warnings.length === 0 ? report : { ...report, warnings: [...report.warnings, ...warnings] };
  }

  #open(owner: string, options: CreateOptions): Session {
    const { settings, store, tags, runtimeDir, baseEnvironment, makeId, makeNonce, onEvent } = this.#services;
    const id = makeId('s');
    const shell = this.#chooseShell(options.shell);
    const env = { ...terminalEnvironment(baseEnvironment), SHELL: shell.path, ...options.env };
    return new Session({
      id,
      owner,
      name: options.name ?? `${shell.name}-${id.slice(2, 6)}`,
      shell,
      login: options.login,
      cwd: options.cwd,
      env,
      givenEnv: options.env,
      cols: options.cols,
      rows: options.rows,
      dir: runtimeDir.subdir(id),
      makeDir: () => void runtimeDir.subdir(id),
      tag: tags.next(),
      startTimeoutMs: settings.startTimeoutMs,
      makeNonce,
      onShellEnded: (status, cwd) => onEvent?.('session_ended', { owner, sessionId: id, cwd, exitCode: exitCodeOf(status), signal: status.kind === 'signaled' ? status.signal : undefined }),
      createLog: (name) => store.createLog(name),
    });
  }

  #chooseShell(asked: SessionShellName | undefined): { name: SessionShellName; path: string } {
    const name = asked ?? this.#services.settings.shell;
    if (name === undefined) return userShell(this.#services.baseEnvironment);
    return { name, path: findShell(name, this.#services.baseEnvironment).path };
  }

  /** Another owner's session is answered exactly as an unknown one. */
  #get(owner: string, id: string): Session {
    const session = isId('s', id) ? this.#sessions.get(id) : undefined;
    if (session !== undefined && isOf(owner, session)) return session;
    const open = this.list(owner).map(({ sessionId, name, state }) => `${sessionId} (${name}, ${state})`);
    const hint = open.length === 0 ? 'no session is open: session_create opens one' : `open sessions: ${open.slice(0, 8).join(', ')}${open.length > 8 ? ` and ${open.length - 8} more` : ''}`;
    throw new ExpectedError('SESSION_NOT_FOUND', `no session "${id.slice(0, 40)}"`, { hint });
  }

  #end(session: Session, graceMs: number): Promise<Termination> {
    return this.#close(session, () => endTargets(session.target, graceMs));
  }

  #reap(session: Session): Promise<Termination> {
    const { id: sessionId, owner } = session.options;
    this.#services.onEvent?.('session_reaped', { owner, sessionId, cwd: session.cwd });
    return this.#end(session, SHUTDOWN_GRACE_MS);
  }

  async #close(session: Session, end: () => Promise<Termination>): Promise<Termination> {
    session.current?.warnings.push('the session was ended while this ran: the exit code is that of its shell');
    const closed = session.close(end);
    this.#listChanges.notify(session.options.owner);
    const termination = await closed;
    this.#sessions.delete(session.options.id);
    return termination;
  }
}

/** One that is being ended is nobody's any more. */
function isOf(owner: string, session: Session): boolean {
  return session.options.owner === owner && !session.isClosed;
}

function endTargets(targets: Target | readonly Target[], graceMs: number): Promise<Termination> {
  return terminate(targets, { graceMs, first: ['SIGHUP', 'SIGTERM'] });
}
