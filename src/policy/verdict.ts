// What the policy says about a command.

export type CommandClass = 'safe' | 'dangerous' | 'reject';

export interface MatchedRule {
  /** The id of the rule. */
  readonly rule: string;
  /** The part of the text that it is about. */
  readonly matched: string;
  /** One line for the agent. */
  readonly reason: string;
}

export interface Verdict {
  readonly class: CommandClass;
  /** Every rule that matched, those of the verdict's class first. */
  readonly rules: readonly MatchedRule[];
  /** Variables that hold code and that this command exports: whoever runs it remembers them for the session. */
  readonly remember: Readonly<Record<string, string>>;
}
