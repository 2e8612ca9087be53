// The class of a command text: safe, dangerous or never. Pure: nothing is run and nothing is looked up.
import type { Fact, Reading, SimpleCommand } from '../syntax/command.ts';
import { readScript } from '../syntax/commands.ts';
import { printable } from '../syntax/marks.ts';
import { downloadsOf } from './downloads.ts';
import { otherHomes } from './homes.ts';
import type { Profile, Rule, View } from './rule.ts';
import { FACT_RULES, RULES_OF_PLACES, rulesFor } from './rules.ts';
import { assignmentsOf, carriersOf, setsVariables } from './rules-environment.ts';
import { isNotAllowed, matchesUserRule } from './user-rules.ts';
import type { UserRule } from './user-rules.ts';
import { worst } from './verdict.ts';
import type { CommandClass, MatchedRule, Verdict } from './verdict.ts';
import { writePlace } from './write-places.ts';
import type { WritePlace } from './write-places.ts';
import { writtenBy } from './writes.ts';

export interface ClassifyContext {
  readonly shell: 'bash' | 'zsh' | 'fish' | 'sh';
  /** Absolute; need not exist. */
  readonly cwd: string;
  readonly home: string;
  readonly allowedRoots: readonly string[];
  /** Typed at the prompt of a shell that runs, not handed to it as a script. */
  readonly isTyped?: boolean;
  readonly profile?: Profile;
  /** If given, only these programs may run. */
  readonly allowedCommands?: readonly string[] | undefined;
  readonly userRules?: readonly UserRule[];
  /** Variables with code that were exported earlier in this session: `remember` of earlier verdicts. */
  readonly environment?: Readonly<Record<string, string>>;
  /** The value of HOME there, when it is another one than `home`. */
  readonly givenHome?: string | undefined;
  /** CDPATH is set there. */
  readonly hasCdPath?: boolean;
  /** fish's own tree of a text (`fish_indent --dump-parse-tree`); undefined when it cannot be had. */
  readonly fishTree?: (text: string) => string | undefined;
}

interface Match extends MatchedRule {
  readonly class: CommandClass;
}

const NO_NAMES: readonly string[] = [];

/** At most this many matches are told; the class is that of all. */
const MAX_MATCHES = 16;
const MAX_MATCHED_LENGTH = 200;

/** What the policy says about a command, and every rule that says so. */
export function classify(text: string, context: ClassifyContext): Verdict {
  return classifyReading(text, readScript(text, context), context);
}

/** What the policy says about a text that was read already. Where `~` may lead elsewhere, it is read once more for each place. */
export function classifyReading(text: string, reading: Reading, context: ClassifyContext): Verdict {
  const homes = otherHomes(text, reading, { home: context.home, given: context.givenHome });
  if (homes.length === 0) return verdictOn(reading, context);
  const readings = [reading, ...homes.map((home) => readScript(text, { ...context, home }))];
  return worst(readings.map((one) => verdictOn(one, context)));
}

function verdictOn(reading: Reading, context: ClassifyContext): Verdict {
  const profile = context.profile ?? 'standard';
  const view: View = { home: context.home, allowedRoots: context.allowedRoots, profile, shell: context.shell, defined: reading.defined, downloads: downloadsOf(reading.commands), remembered: context.environment === undefined ? NO_NAMES : Object.keys(context.environment) };
  const matches: Match[] = [];
  for (const fact of reading.facts) matchFact(fact, view, matches);
  for (const command of reading.commands) matchCommand(command, { view, context, matches });
  return verdictOf(matches, reading);
}

function verdictOf(matches: readonly Match[], { commands }: Reading): Verdict {
  const remember: Record<string, string> = {};
  for (const command of commands) if (setsVariables(command) && isLasting(command)) Object.assign(remember, carriersOf(command), placesIn(command));
  if (matches.length === 0) return { class: 'safe', rules: [], remember };
  const order: readonly CommandClass[] = ['reject', 'dangerous'];
  const told = new Map<string, MatchedRule>();
  for (const one of order) for (const match of matches) if (match.class === one && !told.has(match.rule)) told.set(match.rule, { rule: match.rule, matched: match.matched, reason: match.reason });
  return { class: order.find((one) => matches.some((match) => match.class === one)) ?? 'safe', rules: [...told.values()].slice(0, MAX_MATCHES), remember };
}

/** What it sets by which `~` and `cd` lead elsewhere later. */
function placesIn(command: SimpleCommand): Readonly<Record<string, string>> {
  return Object.fromEntries(assignmentsOf(command).filter(([name]) => name === 'HOME' || name === 'CDPATH').map(([name, value]) => [name, printable(value)]));
}

/** Whether what a command sets stays in the session: assignments alone, and export and its like. */
function isLasting({ program, origin, wrappers }: SimpleCommand): boolean {
  return (program === '' || LASTING.has(program)) && origin.every((name) => STAYING.has(name)) && wrappers.every((wrapper) => STAYING.has(wrapper) || wrapper === 'builtin' || wrapper === 'command');
}

/** What reads code into the shell itself. */
const STAYING = new Set(['eval', 'source', '.']);
const LASTING = new Set(['export', 'declare', 'typeset', 'readonly', 'set']);

function matchFact(fact: Fact, view: View, matches: Match[]): void {
  for (const rule of FACT_RULES) if (rule.facts?.includes(fact.kind) === true) judge(rule, fact.detail, { view, matches });
}

function matchCommand(command: SimpleCommand, { view, context, matches: all }: { readonly view: View; readonly context: ClassifyContext; readonly matches: Match[] }): void {
  const own = context.userRules === undefined ? [] : context.userRules.filter((rule) => matchesUserRule(command, rule));
  const isLifted = own.some((rule) => rule.class === 'safe') && !own.some((rule) => rule.class === 'dangerous');
  const matches = isLifted ? [] : all;
  for (const rule of rulesFor(command.program)) if (rule.match?.(command, view) === true) judge(rule, command.text, { view, matches });
  matchPlaces(command, view, matches);
  if (context.allowedCommands !== undefined && isNotAllowed(command, context.allowedCommands, view.defined)) {
    matches.push({ rule: 'allowed-commands', class: 'reject', matched: shortened(command.path), reason: `only these programs may run here: ${context.allowedCommands.slice(0, 20).join(', ')}` });
  }
  if (isLifted) all.push(...matches.filter((match) => match.class === 'reject'));
  for (const rule of own) if (rule.class !== 'safe') all.push({ rule: rule.id, class: rule.class, matched: shortened(command.text), reason: rule.reason });
}

/** The places it writes to are found once, not by each of the rules about them. */
function matchPlaces(command: SimpleCommand, view: View, matches: Match[]): void {
  if (command.contained) return;
  const written = writtenBy(command);
  if (written.length === 0) return;
  const places = placesOf(written, command, view);
  if (places.length === 0) return;
  for (const rule of RULES_OF_PLACES) if (rule.writes !== undefined && places.includes(rule.writes)) judge(rule, command.text, { view, matches });
}

/** Those about which there is a rule. */
function placesOf(written: readonly string[], { directories }: SimpleCommand, view: View): readonly WritePlace[] {
  const places: WritePlace[] = [];
  for (const path of written.length === 1 ? written : new Set(written)) {
    const place = writePlace(path, directories, view);
    if (place !== 'elsewhere') places.push(place);
  }
  return places;
}

/** What a rule says in a profile: `open` keeps only what is grave. */
function judge(rule: Rule, matched: string, { view: { profile }, matches }: { readonly view: View; readonly matches: Match[] }): void {
  if (rule.profiles?.includes(profile) === false) return;
  const isKept = profile !== 'open' || rule.isGrave === true;
  if (!isKept && rule.class !== 'reject') return;
  matches.push({ rule: rule.id, class: isKept ? rule.class : 'dangerous', matched: shortened(matched), reason: rule.reason });
}

function shortened(text: string): string {
  const shown = printable(text);
  return shown.length > MAX_MATCHED_LENGTH ? `${shown.slice(0, MAX_MATCHED_LENGTH)}…` : shown;
}
