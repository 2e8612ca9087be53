// Where sessions are: one that has left the allowed roots is told of, or held until it is back.
import { ExpectedError } from '../errors.ts';
import { isWayBack } from '../policy/way-back.ts';
import type { Roots, SessionPlace, Standing } from '../policy/roots.ts';
import { directoryOf } from '../process/proc.ts';
import { quote } from '../shell/quote.ts';
import type { Session } from './session.ts';

export interface WhereaboutsOptions {
  /** Absent: a session may be anywhere. */
  readonly roots?: Pick<Roots, 'standing' | 'resolve'> | undefined;
  readonly policy: 'report' | 'enforce';
}

export class Whereabouts {
  readonly #roots: WhereaboutsOptions['roots'];
  readonly #policy: WhereaboutsOptions['policy'];
  /** Where each session was found to be allowed, as its shell names the place: looked at anew when it has moved. */
  readonly #allowedAt = new WeakMap<Session, string>();

  constructor({ roots, policy }: WhereaboutsOptions) {
    this.#roots = roots;
    this.#policy = policy;
  }

  /** Before a command: with the policy `enforce` one that has left may only come back. Rejects with INVALID_CWD. */
  async admit(session: Session, text: string): Promise<void> {
    if (this.#roots === undefined || this.#policy !== 'enforce') return;
    const place = placeOf(session);
    const standing = await this.#roots.standing(place);
    if (standing.isAllowed || (await isWayBack(text, place, { roots: this.#roots, home: session.shellState?.exported.get('HOME') }))) return;
    throw new ExpectedError('INVALID_CWD', `session "${session.options.id}" is in "${standing.path}", outside the allowed roots`, { hint: wayBack(session, standing) });
  }

  /** Behind a command: what is to be said about the place where the session is; about a project file only if the session has just come there. */
  async warnings(session: Session, hasMoved: boolean): Promise<readonly string[]> {
    if (this.#roots === undefined || (!hasMoved && session.state === 'idle' && this.#allowedAt.get(session) === session.cwd)) return [];
    const standing = await this.#roots.standing(placeOf(session));
    if (standing.isAllowed) this.#allowedAt.set(session, session.cwd);
    else this.#allowedAt.delete(session);
    const outside = standing.isAllowed ? [] : [`the session is in "${standing.path}", outside the allowed roots (${listed(standing)})${this.#policy === 'enforce' ? '; nothing but "cd PATH" back into them runs there' : ''}`];
    return hasMoved ? [...outside, ...standing.warnings] : outside;
  }
}

/** By the kernel, since $PWD is a variable like others; while there is no shell, where the next one will start. */
function placeOf({ live, cwd, options }: Session): SessionPlace {
  return { cwd: (live && directoryOf(live.leader.pid)) ?? cwd, startedIn: options.cwd };
}

function wayBack({ options }: Session, standing: Standing): string {
  const back = `cd ${quote(options.shell.name, options.cwd)}`;
  return `first run ${JSON.stringify(back)} alone, or cd with another path in the allowed roots (${listed(standing)}); cwd_policy is "enforce"; nothing was run`;
}

function listed({ roots }: Standing): string {
  return roots.length === 0 ? 'there are none' : roots.map((root) => `"${root}"`).join(', ');
}
