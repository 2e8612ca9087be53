// What a session's shell knows beside programs, as of its last prompt: nothing is asked of it, so that it may be busy.
import type { SessionWords } from '../discovery/shell-words.ts';
import { ExpectedError } from '../errors.ts';
import type { Session } from './session.ts';

/** Throws SESSION_BUSY while the first shell is being started. */
export function wordsOf({ options, cwd, shellState }: Pick<Session, 'options' | 'cwd' | 'shellState'>): SessionWords {
  if (shellState === undefined) {
    throw new ExpectedError('SESSION_BUSY', `session "${options.id}" is being started`, { hint: 'call again when session_create has answered' });
  }
  return {
    shell: options.shell.name,
    shellPath: options.shell.path,
    cwd,
    path: shellState.exported.get('PATH'),
    aliases: shellState.names('aliases'),
    functions: shellState.names('functions'),
    options: shellState.names('options'),
  };
}
