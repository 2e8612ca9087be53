// The one table of rules. Its history, with dates, is in docs/policy.md; a rule of class reject is never weakened.
import { perName } from '../syntax/per-name.ts';
import { CODE_RULES } from './rules-code.ts';
import { CONTAINER_RULES } from './rules-containers.ts';
import { ENVIRONMENT_RULES } from './rules-environment.ts';
import { FILE_RULES } from './rules-files.ts';
import { GIT_RULES } from './rules-git.ts';
import { SYSTEM_RULES } from './rules-system.ts';
import { WRITE_RULES } from './rules-writes.ts';
import type { Rule } from './rule.ts';

export const RULES: readonly Rule[] = [...FILE_RULES, ...WRITE_RULES, ...SYSTEM_RULES, ...GIT_RULES, ...CODE_RULES, ...CONTAINER_RULES, ...ENVIRONMENT_RULES];

/** Programs whose file has a version in its name. */
const VERSIONED = /^(python|pypy|pip|shellkeep)(?:-?\d[\d.]*|@.*)$/;

/** The rules to try for a program: its own, and those for every program. */
export const rulesFor = perName((program): readonly Rule[] => {
  const [, unversioned = program] = BY_PROGRAM.has(program) ? [] : VERSIONED.exec(program) ?? [];
  return [...(BY_PROGRAM.get(unversioned) ?? GENERAL), ...RULES.filter(({ isAbout }) => isAbout?.(program) === true)];
});

const GENERAL = RULES.filter(({ match, programs, isAbout }) => match !== undefined && programs === undefined && isAbout === undefined);
const BY_PROGRAM = new Map<string, readonly Rule[]>();
for (const rule of RULES) {
  for (const program of rule.programs ?? []) BY_PROGRAM.set(program, [...(BY_PROGRAM.get(program) ?? GENERAL), rule]);
}
/** Rules about the places that a command writes to. */
export const RULES_OF_PLACES: readonly Rule[] = RULES.filter(({ writes }) => writes !== undefined);
/** Rules about facts. */
export const FACT_RULES: readonly Rule[] = RULES.filter(({ facts }) => facts !== undefined);
