// Sessions without the tools around them: a SessionTable with real shells in a home of its own, everything ended and removed by close().
import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { createIdMaker } from '../../src/lib/ids.ts';
import { OutputStore } from '../../src/output/store.ts';
import { approve } from './approved.ts';
import { baseEnvironment } from '../../src/process/environment.ts';
import { RuntimeDir } from '../../src/process/runtime-dir.ts';
import { randomServerBits, TagSpace } from '../../src/process/tag.ts';
import type { CommandReport, CreatedSession, CreateOptions, Destroyed, InterruptOptions, ReadOptions, RunInSession, SendOptions, SessionSummary } from '../../src/session/api.ts';
import { SessionTable, type SessionSettings } from '../../src/session/table.ts';
import { Home } from './home.ts';
import { rememberTag, rememberTemporary, removeAtEnd } from './leftovers.ts';
import type { TestedShell } from './shells.ts';

export interface TableOptions {
  readonly settings?: Partial<SessionSettings>;
  /** The server's environment, over that of the home; undefined takes a name out. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** The home directory's own name. */
  readonly homeName?: string;
}

const SETTINGS: SessionSettings = { maxSessions: 64, retentionS: 600, idleTimeoutS: 0, startTimeoutMs: 15_000, shell: undefined };
/** As the tools' defaults, but for the timeout: a test that hangs is to say so before vitest does. */
const RUN: RunInSession = { timeoutMs: 12_000, onTimeout: 'keep', stderr: 'merged', env: {}, maxOutputBytes: 50_000, queueMs: 0 };
const SEND: SendOptions = { timeoutMs: 12_000, maxOutputBytes: 50_000, enter: true, keys: [] };
const READ: ReadOptions = { timeoutMs: 0, maxOutputBytes: 50_000, view: 'output' };
const INTERRUPT: InterruptOptions = { graceMs: 2_000, maxOutputBytes: 50_000 };
const OWNER = 'local';

/** A call that nobody cancels. */
export function uncancelled(): AbortSignal {
  return new AbortController().signal;
}

/** Runs `use` with a table of its own, which is closed afterwards. */
export async function withTable<T>(options: TableOptions, use: (table: TestTable) => Promise<T>): Promise<T> {
  const table = new TestTable(options);
  try {
    return await use(table);
  } finally {
    await table.close();
  }
}

export class TestTable {
  readonly home: Home;
  /** Where sessions start: empty. */
  readonly work: string;
  readonly tags = new TagSpace(randomServerBits());
  readonly table: SessionTable;
  readonly runtimeDir: RuntimeDir;
  readonly #store: OutputStore;

  constructor(options: TableOptions = {}) {
    this.home = new Home(options.homeName);
    removeAtEnd(this.home.root);
    rememberTemporary(this.home.temporary);
    rememberTag(this.tags.server.value >> 22n);
    this.work = path.join(this.home.root, 'work');
    mkdirSync(this.work);
    const env = { ...this.home.environment(), ...options.env };
    this.runtimeDir = new RuntimeDir({ serverBits: this.tags.serverBits, env });
    if (this.runtimeDir.shared !== undefined) rememberTemporary(this.runtimeDir.shared); // what fish leaves beside it is not ours
    this.#store = new OutputStore({ dir: path.join(this.home.root, 'output'), limitBytes: 2 ** 31 });
    this.table = new SessionTable({
      settings: { ...SETTINGS, ...options.settings },
      store: this.#store,
      tags: this.tags,
      runtimeDir: this.runtimeDir,
      baseEnvironment: baseEnvironment(env, { quiet: true }),
      makeId: createIdMaker(randomBytes),
      makeNonce: () => randomBytes(8).toString('hex'),
    });
  }

  /** Opens a session in the empty directory. */
  async open(shell: TestedShell | undefined, options: Partial<CreateOptions> = {}, owner = OWNER): Promise<TestSession> {
    const chosen = shell === undefined ? {} : { shell };
    const created = await this.table.create(owner, { cwd: this.work, login: false, env: {}, cols: 120, rows: 40, ...chosen, ...options }, uncancelled());
    return new TestSession(this.table, created, owner);
  }

  async close(): Promise<void> {
    await this.table.shutdown();
    this.#store.close();
    this.runtimeDir.remove();
  }
}

/** One session, with the calls that tests make most. */
export class TestSession {
  readonly created: CreatedSession;
  readonly id: string;
  readonly #table: SessionTable;
  readonly #owner: string;

  constructor(table: SessionTable, created: CreatedSession, owner: string) {
    this.#table = table;
    this.created = created;
    this.id = created.sessionId;
    this.#owner = owner;
  }

  run(text: string, options: Partial<RunInSession> = {}, signal = uncancelled()): Promise<CommandReport> {
    return this.#table.run(this.#owner, this.id, approve(text), { ...RUN, ...options }, signal);
  }

  /** The output of a command that must end with exit code 0. */
  async text(text: string, options: Partial<RunInSession> = {}): Promise<string> {
    const report = await this.run(text, options);
    if (report.state !== 'done' || report.exitCode !== 0) throw new Error(`"${text.slice(0, 200)}" is ${report.state} with exit code ${report.exitCode}: ${report.output.text.slice(0, 2_000)}`);
    return report.output.text;
  }

  send(options: Partial<SendOptions>, signal = uncancelled()): Promise<CommandReport> {
    return this.#table.send(this.#owner, this.id, { ...SEND, ...options }, signal);
  }

  read(options: Partial<ReadOptions> = {}, signal = uncancelled()): Promise<CommandReport> {
    return this.#table.read(this.#owner, this.id, { ...READ, ...options }, signal);
  }

  interrupt(options: Partial<InterruptOptions> = {}): Promise<CommandReport> {
    return this.#table.interrupt(this.#owner, this.id, { ...INTERRUPT, ...options }, uncancelled());
  }

  destroy(graceMs = 2_000): Promise<Destroyed> {
    return this.#table.destroy(this.#owner, this.id, { graceMs });
  }

  summary(): SessionSummary | undefined {
    return this.#table.list(this.#owner).find(({ sessionId }) => sessionId === this.id);
  }
}
