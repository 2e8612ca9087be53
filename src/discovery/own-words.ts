// The builtins and keywords of a shell, told by that shell: once, until its program changes.
import { ExpectedError } from '../errors.ts';
import type { SessionShellName } from '../shell/shell.ts';
import type { Ask } from './prober.ts';
import { programAt } from './search-path.ts';
import type { OwnWords } from './shell-words.ts';

/** Prints keywords, an empty line, builtins. No file of the user's is read. In fish both are one list, and none can be a function's name. */
const ASKED: Readonly<Record<SessionShellName, readonly string[]>> = {
  bash: ['--norc', '--noprofile', '-c', 'compgen -k; echo; compgen -b'],
  zsh: ['-f', '-c', 'print -rl -- ${(k)reswords} "" ${(k)builtins}'],
  fish: ['--no-config', '-c', 'echo; builtin -n'],
};

export class OwnWordsOfShells {
  readonly #known = new Map<string, Promise<OwnWords>>();

  /** Rejects with SHELL_START_FAILED when the shell does not tell. */
  async of(shell: SessionShellName, path: string, ask: Ask): Promise<OwnWords> {
    const key = (await programAt(path))?.identity ?? path;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const words = askShell(shell, path, ask);
    this.#known.set(key, words);
    words.catch(() => this.#known.delete(key));
    return words;
  }
}

async function askShell(shell: SessionShellName, path: string, ask: Ask): Promise<OwnWords> {
  const reply = await ask(path, ASKED[shell]);
  const text = reply?.kind === 'ended' ? `\n${reply.stdout.toString()}` : '';
  const [keywords = '', builtins = ''] = text.split('\n\n');
  if (builtins === '') throw new ExpectedError('SHELL_START_FAILED', `"${path}" does not tell its builtins`, { hint: 'ask in the session itself: "type NAME" with session_run' });
  return { keywords: wordsIn(keywords), builtins: wordsIn(builtins) };
}

function wordsIn(text: string): ReadonlySet<string> {
  return new Set(text.split('\n').filter(Boolean));
}
