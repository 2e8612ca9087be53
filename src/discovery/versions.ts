// Versions of programs, asked once a minute at most.
import type { Ask } from './prober.ts';
import type { FoundProgram } from './search-path.ts';
import { knowsAnotherWay, VERSION_FLAGS, versionIn } from './version.ts';

/** Whether the policy lets a command through without a further word. */
export type MayRun = (command: readonly [name: string, flag: string]) => Promise<boolean>;

interface Known {
  readonly askedAt: number;
  readonly version: Promise<string | undefined>;
}

const KEPT_MS = 60_000;
const MAX_KNOWN = 1_000;

export class Versions {
  readonly #mayRun: MayRun;
  readonly #known = new Map<string, Known>();

  constructor(mayRun: MayRun) {
    this.#mayRun = mayRun;
  }

  /**
   * The version of a program. undefined for one that does not tell, that the policy does not let run, or that was found by way of the
   * current folder: what lies there must not run because somebody has looked for a name.
   */
  of(program: FoundProgram, ask: Ask, path?: string): Promise<string | undefined> {
    if (!program.isFixed) return Promise.resolve(undefined);
    const key = `${program.identity}\0${path ?? ''}`;
    const known = this.#known.get(key);
    if (known !== undefined && performance.now() - known.askedAt < KEPT_MS) return known.version;
    const version = this.#ask(program, ask, path);
    this.#keep(key, version);
    version.catch(() => this.#known.delete(key));
    return version;
  }

  async #ask({ name, path: file }: FoundProgram, ask: Ask, path: string | undefined): Promise<string | undefined> {
    for (const flag of VERSION_FLAGS) {
      if (!(await this.#mayRun([name, flag]))) return undefined;
      const reply = await ask(file, [flag], path);
      const version = versionIn(reply);
      if (version !== undefined || !knowsAnotherWay(reply)) return version;
    }
    return undefined;
  }

  #keep(key: string, version: Known['version']): void {
    const [oldest] = this.#known.keys();
    if (oldest !== undefined && this.#known.size >= MAX_KNOWN) this.#known.delete(oldest);
    this.#known.delete(key); // to the end of the order
    this.#known.set(key, { askedAt: performance.now(), version });
  }
}
