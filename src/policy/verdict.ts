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

/** The gravest of several verdicts, with what all of them remember. */
export function worst(verdicts: readonly Verdict[]): Verdict {
  const order = ['reject', 'dangerous', 'safe'] as const;
  const found = order.flatMap((one) => verdicts.find((verdict) => verdict.class === one) ?? [])[0];
  return { class: 'safe', rules: [], ...found, remember: Object.assign({}, ...verdicts.map(({ remember }) => remember)) as Verdict['remember'] };
}
