// Why a command does not run, and what would be accepted instead. classify gives the same texts beforehand.
import { ExpectedError, type Classification, type ErrorCode } from '../errors.ts';
import { shorten } from '../lib/shorten.ts';
import { TOKEN_LIFETIME_S } from './tokens.ts';
import type { Verdict } from './verdict.ts';

export type Confirm = 'flag' | 'token' | 'ask';

/** What the person who runs the server has settled. */
export interface Terms {
  readonly confirm: Confirm;
  readonly maxClass: 'safe' | 'dangerous';
}

/** The class and the rule that made it, as results show them. */
export function classificationOf({ class: found, rules: [first] }: Verdict): Classification {
  return first === undefined ? { class: found } : { class: found, rule: first.rule, matched: first.matched };
}

/** Of a command that no caller can have run here. */
export function forbidden(verdict: Verdict, limit = 'the setting max_class'): ExpectedError {
  if (verdict.class === 'dangerous') {
    return refusal('FORBIDDEN_COMMAND', verdict, `is dangerous, and ${limit} lets only safe commands run`, `${reasonOf(verdict)}. "dangerous" does not help: write a command that classify calls safe`);
  }
  return refusal('FORBIDDEN_COMMAND', verdict, 'never runs here', `${reasonOf(verdict)}. "dangerous" does not help: change the command`);
}

/** Of a dangerous command whose caller has not said that it is meant. */
export function requiresOverride(verdict: Verdict, { confirm }: Terms, isInput: boolean): ExpectedError {
  return refusal('DANGEROUS_COMMAND_REQUIRES_OVERRIDE', verdict, isInput ? 'is dangerous, and a shell would read it' : 'is dangerous', `${reasonOf(verdict)}. ${isInput ? INPUT_OVERRIDE : OVERRIDES[confirm]}`);
}

/** Of a dangerous command whose token is missing or does not count. */
export function requiresToken(verdict: Verdict, token: string | undefined, fault = ''): ExpectedError {
  const what = token === undefined ? 'is dangerous and was given no confirm_token' : `is dangerous, and confirm_token ${shorten(token)} ${fault}`;
  return refusal('DANGEROUS_COMMAND_REQUIRES_OVERRIDE', verdict, what, `${reasonOf(verdict)}. ${OVERRIDES.token}`);
}

/** Of a dangerous command that the person did not want, or could not be asked about. */
export function notConfirmed(verdict: Verdict, answer: 'declined' | 'unable'): ExpectedError {
  if (answer === 'declined') return refusal('CONFIRMATION_DECLINED', verdict, 'was declined by the person who was asked', 'do without it, or ask what to do instead');
  return refusal('CONFIRMATION_DECLINED', verdict, 'is dangerous, and this client cannot ask the person (it has no elicitation)', `${reasonOf(verdict)}. Write a command that classify calls safe, or have the person run it; the setting confirm makes the server ask`);
}

/** Of variables for a new session that its shell would run as code before the first command. */
export function codeAtStart([name = '']: readonly string[], isOnlySafe: boolean): ExpectedError {
  const reason = 'the shell runs the value of this variable as code by itself';
  const verdict: Verdict = { class: 'dangerous', rules: [{ rule: 'code-in-environment', matched: name, reason }], remember: {} };
  if (isOnlySafe) return forbidden(verdict);
  return refusal('DANGEROUS_COMMAND_REQUIRES_OVERRIDE', verdict, 'is dangerous in the env of a new session', `${reason}. Leave it out of env, and set it in the session, with session_run and dangerous: true`);
}

/** What the person is asked. */
export function questionOf(text: string, cwd: string, verdict: Verdict): string {
  return `Run this command in ${cwd}?\n\n${text}\n\n${verdict.rules.map(({ reason, matched }) => `- ${reason}: ${matched}`).join('\n')}`;
}

const OVERRIDES: Readonly<Record<Confirm, string>> = {
  flag: 'To run it all the same, call again with dangerous: true',
  token: `To run it all the same, call classify with the same command, cwd and session_id, then within ${TOKEN_LIFETIME_S} s again with dangerous: true and its confirm_token`,
  ask: 'Call again with dangerous: true, and the person is asked',
};
const INPUT_OVERRIDE = 'To run it all the same, give it to session_run or task_spawn with dangerous: true, or start the shell that reads this with dangerous: true';

function reasonOf({ rules: [first] }: Verdict): string {
  return first?.reason ?? 'the policy does not let it run';
}

function refusal(code: ErrorCode, verdict: Verdict, what: string, hint: string): ExpectedError {
  const classification = classificationOf(verdict);
  const { rule, matched = '' } = classification;
  return new ExpectedError(code, `${shorten(matched)} ${what}${rule === undefined ? '' : ` (rule ${rule})`}`, { hint: `${hint}; nothing was run`, classification });
}
