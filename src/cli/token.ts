// `shellkeep token`: who may call `serve`.
import { parseArgs } from 'node:util';
import { tokenFile } from '../config/paths.ts';
import { StartError } from '../config/start-error.ts';
import { TokenList } from '../config/token-list.ts';
import type { TokenEntry } from '../config/token-list.ts';
import { nearest } from '../lib/nearest.ts';
import { shorten } from '../lib/shorten.ts';
import { refuseAgents } from './agents.ts';
import { flagFault } from './flag-fault.ts';

const ACTIONS = ['add', 'list', 'revoke'] as const;
const USAGE = 'shellkeep token add NAME [--max-class safe] | list | revoke NAME';

export interface TokenOptions {
  /** The command line after "token". */
  readonly words: readonly string[];
  readonly env: NodeJS.ProcessEnv;
}

/** Does it, and gives what is printed: of `add` the token alone, so that a script can take it. Throws StartError. */
export function tokenText({ words, env }: TokenOptions): string {
  const { positionals, maxClass } = parsed(words);
  const [word = 'list', name, ...more] = positionals;
  const action = ACTIONS.find((known) => known === word);
  if (action === undefined) throw new StartError(`token cannot ${shorten(word)}${meant(word)}; ${USAGE}`);
  if (more.length > 0 || (action === 'list') !== (name === undefined) || (maxClass !== undefined && action !== 'add')) throw new StartError(USAGE);
  const list = new TokenList(tokenFile(env));
  if (name === undefined) return listText(list.entries());
  refuseAgents('change tokens');
  if (action === 'add') return `${list.add(name, maxClass)}\n`;
  if (!list.revoke(name)) throw new StartError(`no token of ${shorten(name)}; ${namesText(list.entries())}`);
  return `revoked the token of "${name}": it is refused from now on, also by a server that runs. Its sessions stay until they are idle for idle_timeout_s, or the server ends\n`;
}

function parsed(words: readonly string[]): { positionals: string[]; maxClass: TokenEntry['maxClass'] } {
  try {
    const { positionals, values } = parseArgs({ args: [...words], options: { 'max-class': { type: 'string' } }, allowPositionals: true });
    const maxClass = values['max-class'];
    if (maxClass === undefined || maxClass === 'safe' || maxClass === 'dangerous') return { positionals, maxClass };
    throw new StartError(`--max-class ${shorten(maxClass)}: must be safe or dangerous`);
  } catch (error) {
    if (error instanceof StartError) throw error;
    throw new StartError(`${flagFault(error)}; ${USAGE}`);
  }
}

function meant(word: string): string {
  const known = nearest(word, ACTIONS);
  return known === undefined ? '' : `; did you mean "${known}"?`;
}

function listText(entries: readonly TokenEntry[]): string {
  if (entries.length === 0) return 'no tokens; shellkeep token add NAME makes one\n';
  return entries.map(({ owner, createdAt, maxClass }) => `${owner}  since ${createdAt}${maxClass === undefined ? '' : `  at most ${maxClass} commands`}\n`).join('');
}

function namesText(entries: readonly TokenEntry[]): string {
  return entries.length === 0 ? 'there are none' : `there are: ${entries.map(({ owner }) => owner).join(', ')}`;
}
