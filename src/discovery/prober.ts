// Asks programs, in the same turns as the owner's runs, and leaves nothing of them behind.
import { ExpectedError } from '../errors.ts';
import type { OwnTurns } from '../lib/turns.ts';
import { askProgram, type Reply } from '../process/ask-program.ts';
import type { Launcher } from '../process/launcher.ts';
import type { Tag, TagSpace } from '../process/tag.ts';
import { terminate } from '../process/terminate.ts';

export interface ProberServices {
  readonly launcher: Pick<Launcher, 'startProgram'>;
  readonly tags: TagSpace;
  readonly turns: Pick<OwnTurns, 'max' | 'take' | 'end'>;
  /** What programs are started with. */
  readonly baseEnvironment: Readonly<Record<string, string>>;
}

/** Asks one program; undefined when it cannot be started. `path` is its search path, that of runs when absent. */
export type Ask = (file: string, args: readonly string[], path?: string) => Promise<Reply | undefined>;

const LIMITS = { limitMs: 2_000, limitBytes: 64 * 1024 };

export class Prober {
  readonly #services: ProberServices;

  constructor(services: ProberServices) {
    this.#services = services;
  }

  /** Runs `use` with something to ask programs with. When it is over, nothing that they started is alive, whatever group it is in. */
  async asking<Result>(use: (ask: Ask) => Promise<Result>): Promise<Result> {
    const tag = this.#services.tags.next();
    const asked = new Set<Promise<unknown>>();
    const ask: Ask = (file, args, path) => {
      const reply = this.#ask(tag, file, args, path);
      asked.add(reply);
      return reply;
    };
    try {
      return await use(ask);
    } finally {
      await Promise.allSettled(asked); // others may wait for these answers, too
      if (asked.size > 0) await terminate({ tag }, { graceMs: 0 });
    }
  }

  async #ask(tag: Tag, file: string, args: readonly string[], path: string | undefined): Promise<Reply | undefined> {
    const { launcher, turns, baseEnvironment } = this.#services;
    const env = path === undefined ? baseEnvironment : { ...baseEnvironment, PATH: path };
    await turns.take();
    try {
      return await askProgram(launcher, { file, args, env, tag }, LIMITS);
    } catch (error) {
      if (error instanceof ExpectedError) return undefined;
      throw error;
    } finally {
      turns.end();
    }
  }
}
