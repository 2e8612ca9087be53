// Whether the rules that a person wrote do what the person thinks: their examples are tried before the server starts.
import { readScript } from '../syntax/commands.ts';
import { RULES } from './rules.ts';
import { matchesUserRule, type UserRule } from './user-rules.ts';

export interface CheckOptions {
  readonly shell: 'bash' | 'zsh' | 'fish' | 'sh';
  readonly cwd: string;
  readonly home: string;
}

/** What is wrong with them, naming the rule; undefined when nothing is. */
export function faultOfRules(rules: readonly UserRule[], options: CheckOptions): string | undefined {
  const faults = rules.map((rule, index) => faultAmong(rule, rules.slice(0, index)) ?? faultOfExamples(rule, options));
  return faults.find((fault) => fault !== undefined);
}

function faultAmong({ id, class: own, match }: UserRule, earlier: readonly UserRule[]): string | undefined {
  if (RULES.some((rule) => rule.id === id) || id === 'allowed-commands') return `rule "${id}": this id is one of the built-in rules`;
  if (earlier.some((rule) => rule.id === id)) return `rule "${id}": there are two rules with this id`;
  const same = earlier.find((rule) => JSON.stringify(sorted(rule.match)) === JSON.stringify(sorted(match)));
  if (same === undefined) return undefined;
  return same.class === own ? `rule "${id}" is the same as rule "${same.id}"` : `rule "${id}" (${own}) contradicts rule "${same.id}" (${same.class}): both match ${JSON.stringify(match)}`;
}

/** Alternatives have no order. */
function sorted(match: UserRule['match']): string[][] {
  return match.map((element) => (typeof element === 'string' ? [element] : [...element].sort()));
}

function faultOfExamples(rule: UserRule, options: CheckOptions): string | undefined {
  const matches = (text: string): boolean => readScript(text, options).commands.some((command) => matchesUserRule(command, rule));
  const missed = rule.examples?.find((text) => !matches(text));
  if (missed !== undefined) return `rule "${rule.id}" does not match its example ${JSON.stringify(missed)}`;
  const hit = rule.notExamples?.find(matches);
  return hit === undefined ? undefined : `rule "${rule.id}" matches ${JSON.stringify(hit)}, which is one of its not_examples`;
}
