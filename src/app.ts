// The composition root: makes the services when they are first needed, and ends them and all that they started.
import { setTimeout as sleep } from 'node:timers/promises';
import { random } from 'nanoid'; // takes random bytes from the system in large pieces
import type { AuditTrail } from './audit/trail.ts';
import type { Origins } from './config/load.ts';
import type { Settings } from './config/schema.ts';
import { auditDirectory, trustFile } from './config/paths.ts';
import { defaultRoots } from './config/default-roots.ts';
import { spillBase } from './config/spill-base.ts';
import type { Discovery } from './discovery/discovery.ts';
import { ExpectedError } from './errors.ts';
import { createIdMaker, createNonceMaker } from './lib/ids.ts';
import type { Log } from './lib/logger.ts';
import { Turns } from './lib/turns.ts';
import type { WindowsView } from './lib/windows-path.ts';
import type { OutputStore } from './output/store.ts';
import type { Gate } from './policy/gate.ts';
import type { Launcher } from './process/launcher.ts';
import type { RuntimeDir } from './process/runtime-dir.ts';
import type { TagSpace } from './process/tag.ts';
import type { Watchdog } from './process/watchdog.ts';
import { quote } from './shell/quote.ts';
import type { Services } from './tools/services.ts';

export interface AppOptions {
  readonly settings: Settings;
  readonly origins: Origins;
  readonly env: NodeJS.ProcessEnv;
  readonly home: string | undefined;
  readonly startDirectory: string;
  /** Where the drives of Windows are; where they usually are when absent. */
  readonly windows?: WindowsView;
  readonly log: Log;
}

/** What starts processes and knows which are this server's. */
export interface Kernel {
  readonly tags: TagSpace;
  readonly runtimeDir: RuntimeDir;
  readonly launcher: Launcher;
  readonly watchdog: Watchdog;
  /** The environment that runs and tasks inherit. */
  readonly baseEnvironment: Readonly<Record<string, string>>;
}

/** Everything ends within two seconds; the rest is for the exit itself. */
const SHUTDOWN_MS = 1_900;
/** What ignores SIGTERM is killed when this is over; two proofs that nothing is left fit behind it. */
const SHUTDOWN_GRACE_MS = 700;

/** One server. Nothing is loaded, made or started before something is asked for. */
export class App {
  readonly #options: AppOptions;
  /** Of runs and of probes. */
  readonly #turns: Turns;
  #kernel: Promise<Kernel> | undefined;
  #services: Promise<Services> | undefined;
  #loaded: Services | undefined;
  #audit: Promise<AuditTrail> | undefined;
  /** By owner: there are as many as tokens. */
  readonly #discoveries = new Map<string, Promise<Discovery>>();
  #store: OutputStore | undefined;
  #ending: Promise<void> | undefined;
  /** Read again at each question. */
  readonly #allowedRoots: string[];

  constructor(options: AppOptions) {
    this.#options = options;
    this.#allowedRoots = [...options.settings.allowedRoots];
    this.#turns = new Turns(options.settings.maxConcurrent);
  }

  /** The services of the tools. */
  async services(): Promise<Services> {
    this.#refuseWhileEnding();
    this.#services ??= this.#makeServices().catch((error: unknown) => {
      this.#services = undefined; // the next call tries again: a full disk may have been emptied
      throw error;
    });
    return this.#services;
  }

  /** A client was started there: as with a server's own start directory, commands may start there, unless somebody has said where they may. */
  allowStart(directory: string): void {
    if (this.#options.origins.allowed_roots !== 'default') return;
    const roots = defaultRoots({ home: undefined, startDirectory: directory });
    this.#allowedRoots.push(...roots.filter((root) => !this.#allowedRoots.includes(root)));
  }

  /** The audit log; begins it with the start of the server. */
  audit(): Promise<AuditTrail> {
    this.#audit ??= this.#openAudit();
    return this.#audit;
  }

  /** What the services stand on. */
  async kernel(): Promise<Kernel> {
    this.#refuseWhileEnding();
    this.#kernel ??= this.#makeKernel().catch((error: unknown) => {
      this.#kernel = undefined;
      throw error;
    });
    return this.#kernel;
  }

  /** What lets commands through to a shell. */
  async gate(confirm = this.#options.settings.confirm): Promise<Gate> {
    const { settings, home = '/' } = this.#options;
    const [{ Gate }, { readFishTree }] = await Promise.all([import('./policy/gate.ts'), import('./process/fish-tree.ts')]);
    return new Gate({ ...settings, allowedRoots: this.#allowedRoots, confirm, home, userRules: settings.rule, fishTree: readFishTree, makeToken: createNonceMaker(random), now: () => performance.now() });
  }

  /** What looks at this machine, in the owner's turns. A program is asked for its version only if the gate lets that through. */
  discovery(owner: string, gate: Promise<Gate> | Gate = this.gate()): Promise<Discovery> {
    const discovery = this.#discoveries.get(owner) ?? this.#makeDiscovery(owner, gate);
    this.#discoveries.set(owner, discovery);
    discovery.catch(() => this.#discoveries.delete(owner));
    return discovery;
  }

  /** How much there is of what, of all owners; nothing is loaded for it, and what was not loaded is left out. */
  counts() {
    const { sessions, tasks, audit } = this.#loaded ?? {};
    return { sessions: sessions?.count ?? 0, reaped: sessions?.reaped ?? 0, tasks: tasks?.load, runs: this.#turns.load, outputBytes: this.#store?.bytesOnDisk, audit: audit?.status };
  }

  /** Ends everything that was started, also what left its group, within two seconds. May be called again. */
  shutdown(): Promise<void> {
    this.#ending ??= Promise.race([this.#end(), sleep(SHUTDOWN_MS, undefined, { ref: false })]);
    return this.#ending;
  }

  async #openAudit(): Promise<AuditTrail> {
    const { openTrail } = await import('./audit/open-trail.ts');
    const { env } = this.#options;
    return openTrail({ ...this.#options, directory: auditDirectory(env), makeId: createIdMaker(random) });
  }

  #refuseWhileEnding(): void {
    if (this.#ending !== undefined) throw new ExpectedError('SHUTTING_DOWN', 'the server is ending');
  }

  async #makeKernel(): Promise<Kernel> {
    const { settings, env, log } = this.#options;
    const [{ randomServerBits, TagSpace }, { RuntimeDir }, { Launcher }, { Watchdog }, { sweepStale }, { baseEnvironment }] = await Promise.all([
      import('./process/tag.ts'),
      import('./process/runtime-dir.ts'),
      import('./process/launcher.ts'),
      import('./process/watchdog.ts'),
      import('./process/stale-servers.ts'),
      import('./process/environment.ts'),
    ]);
    const tags = new TagSpace(randomServerBits());
    await tags.applyToServer();
    const runtimeDir = new RuntimeDir({ serverBits: tags.serverBits, env, outputBase: spillBase(env) });
    const watchdog = Watchdog.start({ tags, runtimeDir }); // at once: from now on there is something to clean up
    const launcher = new Launcher({ tags, runtimeDir, env });
    await launcher.prepare().catch((error: unknown) => {
      watchdog.stop();
      runtimeDir.remove();
      throw error;
    });
    sweepStale(runtimeDir).then(
      (ended) => ended.length > 0 && log(`ended what an earlier server left: ${ended.map(({ pid, name }) => `${pid} ${name}`).join(', ')}`),
      (error: unknown) => log(`what an earlier server left cannot be removed: ${String(error)}`),
    );
    return { tags, runtimeDir, launcher, watchdog, baseEnvironment: baseEnvironment(env, { quiet: settings.quietEnv }) };
  }

  async #makeServices(): Promise<Services> {
    const { settings, origins, env, home, startDirectory, windows } = this.#options;
    const [kernel, audit, gate, { OutputStore }, { SessionTable }, { TaskTable }, { Runner }, { Roots }, { TrustList }] = await Promise.all([
      this.kernel(),
      this.audit(),
      this.gate(),
      import('./output/store.ts'),
      import('./session/table.ts'),
      import('./task/table.ts'),
      import('./task/run.ts'),
      import('./policy/roots.ts'),
      import('./config/trust-list.ts'),
    ]);
    const { runtimeDir, baseEnvironment } = kernel;
    const store = new OutputStore({ dir: runtimeDir.outputPath, limitBytes: settings.outputDiskBytes });
    this.#store = store;
    const makeId = createIdMaker(random);
    const makeNonce = createNonceMaker(random);
    const trusted = new TrustList(trustFile(env));
    const roots = new Roots({ roots: this.#allowedRoots, home, startDirectory, trust: (path, sha256) => trusted.verdict(path, sha256), windows });
    setImmediate(() => void gate.load()); // behind the call that is waiting, if it needs no policy
    const shared = { ...kernel, settings, store, makeId, makeNonce };
    const sessions = new SessionTable({ ...shared, roots, onEvent: (event, facts) => audit.event(event, facts) });
    const tasks = new TaskTable(shared);
    return (this.#loaded = {
      settings,
      audit,
      baseEnvironment,
      gate,
      roots,
      sessions,
      tasks,
      runner: new Runner({ ...shared, turns: this.#turns }),
      discovery: (owner) => this.discovery(owner, gate),
      status: async (owner) => {
        const { serverStatus } = await import('./discovery/server-status.ts');
        return serverStatus({ ...kernel, audit, settings, origins, turns: this.#turns, sessions, tasks, store, outputPath: runtimeDir.outputPath }, owner);
      },
    });
  }

  async #makeDiscovery(owner: string, gate: Promise<Gate> | Gate): Promise<Discovery> {
    const [kernel, judge, { Discovery }] = await Promise.all([this.kernel(), gate, import('./discovery/discovery.ts')]);
    const where = { shell: 'bash', cwd: '/', environment: {} } as const;
    return new Discovery({ ...kernel, shell: this.#options.settings.shell, turns: this.#turns.of(owner), mayRun: ([name, flag]) => judge.isFree(`${quote('bash', name)} ${flag}`, where) });
  }

  async #end(): Promise<void> {
    await this.#endAll();
    const audit = await this.#audit?.catch(() => undefined);
    audit?.event('server_ended');
    await audit?.close();
  }

  async #endAll(): Promise<void> {
    const [kernel, services] = await Promise.all([this.#kernel?.catch(() => undefined), this.#services?.catch(() => undefined)]);
    if (kernel === undefined) return;
    const { terminate } = await import('./process/terminate.ts');
    const { tags, watchdog, launcher, runtimeDir } = kernel;
    const spared = watchdog.pid === undefined ? [] : [watchdog.pid];
    const ladder = { first: ['SIGHUP', 'SIGTERM'] as const, spared };
    await Promise.allSettled([
      services?.sessions.shutdown(),
      services?.tasks.shutdown(),
      terminate({ tag: tags }, { ...ladder, graceMs: SHUTDOWN_GRACE_MS }),
    ]);
    await terminate({ tag: tags }, { ...ladder, graceMs: 0 }); // what was started while the others were ending
    watchdog.stop();
    await launcher.close();
    this.#store?.close();
    runtimeDir.remove();
  }
}
