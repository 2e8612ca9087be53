// How the tools have commands approved, and how they show what the policy thinks of one.
import { z } from 'zod';
import type { ApprovedCommand, Gate, Permission } from '../policy/gate.ts';
import type { Surroundings } from '../policy/judge.ts';
import type { InputForShell } from '../session/api.ts';
import { inLine, statusLine } from './render.ts';
import type { CallContext } from './services.ts';

/** The class of the command, and the rule that made it. */
export const classification = z.object({ class: z.enum(['safe', 'dangerous', 'reject']), rule: z.string().optional(), matched: z.string().optional() });

/** The rule as text; the class has its place in the status line. */
export function classificationLines({ class: found, rule, matched }: z.input<typeof classification> = { class: 'safe' }): string[] {
  return rule === undefined ? [] : [statusLine(found, `rule ${rule}`, matched !== undefined && inLine(matched))];
}

export interface OverrideArguments {
  readonly command: string;
  readonly dangerous: boolean;
  readonly confirm_token?: string | undefined;
  readonly session_id?: string | undefined;
}

/** What a caller gives beside a command. */
export function permissionOf({ dangerous, confirm_token: confirmToken, session_id: sessionId }: OverrideArguments, context: CallContext): Permission {
  return { dangerous, confirmToken, sessionId, owner: context.owner, maxClass: context.maxClass, ask: asking(context) };
}

export interface ApprovedHere {
  command: ApprovedCommand;
  /** Approves it once more if it runs somewhere else than it was to: another command came first. */
  readonly approveAgain: (where: Surroundings) => Promise<void>;
}

/** Has a command approved that may have to wait for its turn. */
export async function approveHere(gate: Pick<Gate, 'approve'>, here: Surroundings, args: OverrideArguments, context: CallContext): Promise<ApprovedHere> {
  const permission = permissionOf(args, context);
  const approval: ApprovedHere = {
    command: await gate.approve(args.command, here, permission),
    approveAgain: async (where) => {
      if (!isSame(where, here)) approval.command = await gate.approve(args.command, where, permission);
    },
  };
  return approval;
}

function isSame(one: Surroundings, other: Surroundings): boolean {
  const names = Object.keys(one.environment);
  if (one.cwd !== other.cwd || one.shell !== other.shell || names.length !== Object.keys(other.environment).length) return false;
  return names.every((name) => one.environment[name] === other.environment[name]);
}

/** Has input approved that a shell would read as commands: what its own command was allowed to do, it may do, too. */
export function inputApproval(gate: Pick<Gate, 'approveInput'>, context: CallContext): (request: InputForShell) => Promise<void> {
  return ({ input, typed, where, isOverridden }) => gate.approveInput(input, typed, where, { dangerous: isOverridden, maxClass: context.maxClass, ask: asking(context) });
}

function asking({ ask }: CallContext): Permission['ask'] {
  return ask ?? (() => Promise.resolve('unable'));
}
