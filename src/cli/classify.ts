// `shellkeep classify COMMAND`: what the policy says about a command, which is not run.
import type { Settings } from '../config/schema.ts';
import { StartError } from '../config/start-error.ts';
import { classify } from '../policy/classify.ts';
import { fishTreeOf } from '../process/fish-tree.ts';

export interface ClassifyOptions {
  readonly settings: Settings;
  /** The command line after "classify". */
  readonly words: readonly string[];
  readonly home: string | undefined;
  readonly startDirectory: string;
}

/** The class on the first line, then a line for every rule that matched. */
export function classifyText({ settings, words, home = '/', startDirectory }: ClassifyOptions): string {
  const [text = '', ...more] = words;
  if (text.trim() === '' || more.length > 0) throw new StartError("classify takes the command as one argument: shellkeep classify 'make && echo ok'");
  const { allowedRoots, allowedCommands, profile, rule: userRules, runShell } = settings;
  const { class: found, rules } = classify(text, { shell: runShell, cwd: startDirectory, home, allowedRoots, allowedCommands, profile, userRules, fishTree: fishTreeOf });
  return `${found}\n${rules.map(({ rule, matched, reason }) => `${rule}: ${reason}: ${matched}\n`).join('')}`;
}
