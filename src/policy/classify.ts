// The class of a command text: safe, dangerous or never. Pure: nothing is run and nothing is looked up.
import type { Fact, Reading, SimpleCommand } from '../syntax/command.ts';
import { readScript } from '../syntax/commands.ts';
import { printable } from '../syntax/marks.ts';
import { downloadsOf } from './downloads.ts';
import type { Profile, Rule, View } from './rule.ts';
import { FACT_RULES, rulesFor } from './rules.ts';
import { carriersOf } from './rules-environment.ts';
import { isNotAllowed, matchesUserRule } from './user-rules.ts';
import type { UserRule } from './user-rules.ts';
import type { CommandClass, MatchedRule, Verdict } from './verdict.ts';

export interface ClassifyContext {
  readonly shell: 'bash' | 'zsh' | 'fish' | 'sh';
  /** Absolute; need not exist. */
  readonly cwd: string;
  readonly home: string;
  readonly allowedRoots: readonly string[];
  readonly profile?: Profile;
  /** If given, only these programs may run. */
  readonly allowedCommands?: readonly string[] | undefined;
  readonly userRules?: readonly UserRule[];
  /** Variables with code that were exported earlier in this session: `remember` of earlier verdicts. */
  readonly environment?: Readonly<Record<string, string>>;
  /** fish's own tree of a text (`fish_indent --dump-parse-tree`); undefined when it cannot be had. */
  readonly fishTree?: (text: string) => string | undefined;
}

interface Match extends MatchedRule {
  readonly class: CommandClass;
}

/** At most this many matches are told; the class is that of all. */
const MAX_MATCHES = 16;
const MAX_MATCHED_LENGTH = 200;

/** What the policy says about a command, and every rule that says so. */
export function classify(text: string, context: ClassifyContext): Verdict {
  const reading = readScript(text, context);
  const profile = context.profile ?? 'standard';
  const view: View = { home: context.home, allowedRoots: context.allowedRoots, profile, shell: context.shell, defined: reading.defined, downloads: downloadsOf(reading.commands), environment: context.environment ?? {} };
  const matches = [...reading.facts.flatMap((fact) => matchFact(fact, view)), ...reading.commands.flatMap((command) => matchCommand(command, view, context))];
  return verdictOf(matches, reading);
}

function verdictOf(matches: readonly Match[], { commands }: Reading): Verdict {
  const order: readonly CommandClass[] = ['reject', 'dangerous'];
  const found = order.find((one) => matches.some((match) => match.class === one)) ?? 'safe';
  const told = new Map<string, MatchedRule>();
  for (const one of order) for (const match of matches) if (match.class === one && !told.has(match.rule)) told.set(match.rule, { rule: match.rule, matched: match.matched, reason: match.reason });
  return { class: found, rules: [...told.values()].slice(0, MAX_MATCHES), remember: Object.assign({}, ...commands.filter(isLasting).map(carriersOf)) as Readonly<Record<string, string>> };
}

/** Whether what a command sets stays in the session: assignments alone, and export and its like. */
function isLasting({ program, origin, wrappers }: SimpleCommand): boolean {
  return (program === '' || ['export', 'declare', 'typeset', 'readonly', 'set'].includes(program)) && origin.every((name) => name === 'eval') && wrappers.every((wrapper) => wrapper === 'eval' || wrapper === 'builtin' || wrapper === 'command');
}

function matchFact(fact: Fact, view: View): Match[] {
  return FACT_RULES.filter(({ facts }) => facts?.includes(fact.kind) === true).flatMap((rule) => judged(rule, fact.detail, view));
}

function matchCommand(command: SimpleCommand, view: View, context: ClassifyContext): Match[] {
  const matches = rulesFor(command.program).filter((rule) => rule.match?.(command, view) === true).flatMap((rule) => judged(rule, command.text, view));
  if (context.allowedCommands !== undefined && isNotAllowed(command, context.allowedCommands, view.defined)) {
    matches.push({ rule: 'allowed-commands', class: 'reject', matched: shortened(command.path), reason: `only these programs may run here: ${context.allowedCommands.slice(0, 20).join(', ')}` });
  }
  const own = (context.userRules ?? []).filter((rule) => matchesUserRule(command, rule));
  const isLifted = own.some((rule) => rule.class === 'safe') && !own.some((rule) => rule.class === 'dangerous');
  const kept = isLifted ? matches.filter((match) => match.class === 'reject') : matches;
  return [...kept, ...own.filter((rule) => rule.class !== 'safe').map((rule): Match => ({ rule: rule.id, class: rule.class, matched: shortened(command.text), reason: rule.reason }))];
}

/** What a rule says in a profile: `open` keeps only what is grave. */
function judged(rule: Rule, matched: string, { profile }: View): Match[] {
  if (rule.profiles?.includes(profile) === false) return [];
  const match = { rule: rule.id, matched: shortened(matched), reason: rule.reason };
  if (profile !== 'open' || rule.isGrave === true) return [{ ...match, class: rule.class }];
  return rule.class === 'reject' ? [{ ...match, class: 'dangerous' }] : [];
}

function shortened(text: string): string {
  const shown = printable(text);
  return shown.length > MAX_MATCHED_LENGTH ? `${shown.slice(0, MAX_MATCHED_LENGTH)}…` : shown;
}
