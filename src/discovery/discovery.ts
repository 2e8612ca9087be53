// What this machine has: its shells, its programs, and what a name means in a session. Programs are asked only for their version.
import { ExpectedError } from '../errors.ts';
import { defined } from '../lib/defined.ts';
import { findShell, installedShells, userShell } from '../process/find-shell.ts';
import type { SessionShellName, Shell } from '../shell/shell.ts';
import { inOrder, WELL_KNOWN, type Binary } from './binaries.ts';
import { hostFacts, type HostFacts } from './host.ts';
import { OwnWordsOfShells } from './own-words.ts';
import { Prober, type Ask, type ProberServices } from './prober.ts';
import { entriesOf, findOnPath, programAt, type FoundProgram, type SearchPath } from './search-path.ts';
import { kindOfWord, searchEntries, type SessionWords, type WordKind } from './shell-words.ts';
import { versionNumber } from './version.ts';
import { Versions, type MayRun } from './versions.ts';

export interface DiscoveryServices extends ProberServices {
  readonly mayRun: MayRun;
  /** Of sessions and tasks; the user's own when absent. */
  readonly shell?: SessionShellName | undefined;
}

export interface InstalledShell extends Shell {
  readonly version?: string;
  /** Of sessions and tasks. */
  readonly isDefault: boolean;
}

export interface MachineFacts extends HostFacts {
  readonly shells: readonly InstalledShell[];
  /** Of the environment that runs and tasks inherit. */
  readonly pathEntries: readonly string[];
  readonly envKeys: readonly string[];
}

export interface Located {
  readonly name: string;
  readonly kind: WordKind | 'file' | 'missing';
  /** Of a file. */
  readonly path?: string;
  readonly version?: string;
}

export class Discovery {
  readonly #services: DiscoveryServices;
  readonly #prober: Prober;
  readonly #versions: Versions;
  readonly #ownWords = new OwnWordsOfShells();

  constructor(services: DiscoveryServices) {
    this.#services = services;
    this.#prober = new Prober(services);
    this.#versions = new Versions(services.mayRun);
  }

  /** The system, its shells, and what runs and tasks inherit. */
  async machine(): Promise<MachineFacts> {
    const { baseEnvironment } = this.#services;
    const shells = await this.#prober.asking((ask) => this.#shells(installedShells(baseEnvironment), this.#defaultShell(), ask));
    return { ...hostFacts(baseEnvironment), shells, pathEntries: entriesOf(baseEnvironment['PATH'] ?? ''), envKeys: Object.keys(baseEnvironment).sort() };
  }

  /** Programs by name, the well-known ones without any, what is there first. Rejects with the signal's reason when that fires. */
  async binaries(names: readonly string[] | undefined, cwd: string, signal: AbortSignal): Promise<Binary[]> {
    const place = this.#serverPath(cwd);
    const remaining = [...new Set(names ?? WELL_KNOWN)];
    const found: Binary[] = [];
    await this.#prober.asking(async (ask) => {
      const work = async (): Promise<void> => {
        for (let name = remaining.pop(); name !== undefined; name = remaining.pop()) {
          signal.throwIfAborted();
          const { kind: _, ...binary } = await this.#file(name, place, ask);
          found.push(binary);
        }
      };
      await Promise.all(Array.from({ length: this.#services.turns.max }, work)); // more would only fill the queue that others wait in
    });
    return inOrder(found);
  }

  /** A program on the search path of runs and tasks. */
  which(name: string, cwd: string): Promise<Located> {
    return this.#prober.asking((ask) => this.#file(name, this.#serverPath(cwd), ask));
  }

  /** What a name means in a session; nothing is run in it. Rejects with SHELL_START_FAILED when its shell does not tell its builtins. */
  whichIn(words: SessionWords, name: string): Promise<Located> {
    return this.#prober.asking(async (ask) => {
      const kind = kindOfWord(name, words, await this.#ownWords.of(words.shell, words.shellPath, ask));
      if (kind !== undefined) return { name, kind };
      return this.#file(name, { entries: searchEntries(words), cwd: words.cwd }, ask, words.path);
    });
  }

  #serverPath(cwd: string): SearchPath {
    return { entries: entriesOf(this.#services.baseEnvironment['PATH'] ?? ''), cwd };
  }

  async #file(name: string, place: SearchPath, ask: Ask, path?: string): Promise<Located> {
    const program = await findOnPath(name, place);
    if (program === undefined) return { name, kind: 'missing' };
    return defined({ name, kind: 'file' as const, path: program.path, version: await this.#versions.of(program, ask, path) });
  }

  #defaultShell(): Shell | undefined {
    const { shell, baseEnvironment } = this.#services;
    try {
      return shell === undefined ? userShell(baseEnvironment) : findShell(shell, baseEnvironment);
    } catch (error) {
      if (!(error instanceof ExpectedError)) throw error;
      return undefined; // there is none
    }
  }

  /** The default one may lie elsewhere; two paths of one program (/bin is often a link to /usr/bin) are one shell. */
  async #shells(found: readonly Shell[], defaultShell: Shell | undefined, ask: Ask): Promise<InstalledShell[]> {
    const all = await Promise.all([...found, ...(defaultShell === undefined ? [] : [defaultShell])].map(async (shell) => ({ shell, program: await programAt(shell.path) })));
    const chosen = defaultShell === undefined ? undefined : all.pop();
    const isChosen = ({ program }: (typeof all)[number]): boolean => program !== undefined && program.realPath === chosen?.program?.realPath;
    const shown = chosen === undefined || all.some(isChosen) ? all : [...all, chosen];
    return Promise.all(shown.map(async (each) => ({ ...each.shell, ...(await this.#shellVersion(each.program, ask)), isDefault: isChosen(each) })));
  }

  /** The plain sh has no way to tell. */
  async #shellVersion(program: FoundProgram | undefined, ask: Ask): Promise<{ version?: string }> {
    if (program === undefined || program.name === 'sh') return {};
    return defined({ version: versionNumber(await this.#versions.of(program, ask)) });
  }
}
