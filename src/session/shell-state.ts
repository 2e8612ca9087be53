// What a session's shell is like between two commands, and what a command changed in it.
import { umaskOf } from '../process/proc.ts';
import type { ProcessIdentity } from '../process/proc.ts';
import { parseJobs } from '../shell/jobs.ts';
import type { Job } from '../shell/jobs.ts';
import { exportsOf, namesIn } from '../shell/report.ts';
import type { NameList, ShellReport } from '../shell/report.ts';
import type { SessionShellName } from '../shell/shell.ts';
import type { Changes } from './api.ts';

export class ShellState {
  readonly #shell: SessionShellName;
  #report: ShellReport;
  #exported: ReadonlyMap<string, string> | undefined;
  #jobs: readonly Job[] | undefined;

  /** `before` is the state before: what the shell did not list this time is taken from there. */
  constructor(shell: SessionShellName, report: ShellReport, before?: ShellState) {
    this.#shell = shell;
    this.#report = report;
    if (before === undefined) return;
    const { functions = before.#report.functions, exports = before.#report.exports } = report;
    if (functions !== report.functions || exports !== report.exports) this.#report = { ...report, functions, exports };
    if (exports === before.#report.exports) this.#exported = before.#exported;
  }

  get cwd(): string {
    return this.#report.cwd;
  }

  /** undefined where the shell does not say. */
  get umask(): number | undefined {
    return this.#report.umask === '' ? undefined : Number.parseInt(this.#report.umask, 8);
  }

  get flags(): string {
    return this.#report.flags;
  }

  get exported(): ReadonlyMap<string, string> {
    this.#exported ??= exportsOf(this.#shell, this.#report.exports ?? '');
    return this.#exported;
  }

  /** Names of options that are on, of aliases, of functions. */
  names(kind: NameList): string[] {
    return namesIn(this.#shell, kind, this.#report[kind] ?? '');
  }

  jobs(): readonly Job[] {
    this.#jobs ??= parseJobs(this.#shell, this.#report.jobs);
    return this.#jobs;
  }

  /** What is different from the state before; undefined when nothing is. Names only, sorted. */
  changesSince(before: ShellState): Changes | undefined {
    const changes = { ...this.#changedCwd(before), ...this.#changedNames(before), ...this.#changedExports(before) };
    return Object.keys(changes).length === 0 ? undefined : changes;
  }

  #changedCwd(before: ShellState): Changes {
    return this.cwd === before.cwd ? {} : { cwd: this.cwd };
  }

  #changedNames(before: ShellState): Changes {
    const changes: { -readonly [K in keyof Changes]: Changes[K] } = {};
    for (const kind of ['aliases', 'functions', 'options'] as const) {
      const [old, now] = [before.#report[kind] ?? '', this.#report[kind] ?? ''];
      const changed = old === now ? [] : differing(namesIn(this.#shell, kind, old), namesIn(this.#shell, kind, now));
      if (changed.length > 0) changes[kind] = changed;
    }
    return changes;
  }

  #changedExports(before: ShellState): Changes {
    if (this.#report.exports === before.#report.exports) return {};
    const envSet = [...this.exported].filter(([name, value]) => before.exported.get(name) !== value && isReported(name)).map(([name]) => name);
    const envUnset = [...before.exported.keys()].filter((name) => !this.exported.has(name) && isReported(name));
    return { ...(envSet.length > 0 ? { envSet: envSet.sort() } : {}), ...(envUnset.length > 0 ? { envUnset: envUnset.sort() } : {}) };
  }
}

/** The names that stand in one list only. */
function differing(before: readonly string[], after: readonly string[]): string[] {
  const old = new Set(before);
  const now = new Set(after);
  const changed = before.filter((name) => !now.has(name)).concat(after.filter((name) => !old.has(name)));
  return changed.filter((name) => !name.startsWith('__sk_')).sort();
}

/** What every command or every `cd` changes is no news. */
function isReported(name: string): boolean {
  return name !== '_' && name !== 'PWD' && name !== 'OLDPWD' && !name.startsWith('__sk_');
}

/** fish's umask is a function that takes a quarter of a millisecond; the kernel knows it, too. */
export function withUmask(report: ShellReport, shell: ProcessIdentity | undefined): ShellReport {
  return report.umask !== '' || shell === undefined ? report : { ...report, umask: umaskOf(shell.pid) ?? '' };
}
