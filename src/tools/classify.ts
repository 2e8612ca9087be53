// The tool that tells what the policy thinks of a command.
import { resolve } from 'node:path';
import { z } from 'zod';
import { ExpectedError } from '../errors.ts';
import type { Surroundings } from '../policy/judge.ts';
import type { SessionPlace } from '../policy/roots.ts';
import { anyId, command, cwd } from './fields.ts';
import { directoryOf } from './place.ts';
import { inLine, statusLine } from './render.ts';
import type { CallContext, Services } from './services.ts';
import { defineTool } from './tool.ts';

const output = z.object({
  class: z.enum(['safe', 'dangerous', 'reject']),
  rules: z.array(z.object({ rule: z.string(), matched: z.string(), reason: z.string() })),
  would_execute: z.boolean(),
  would_execute_with_dangerous_true: z.boolean(),
  hint_with_dangerous_false: z.string().optional(),
  hint_with_dangerous_true: z.string().optional(),
  confirm_token: z.string().optional(),
});
type Output = z.input<typeof output>;

export const classify = defineTool({
  name: 'classify',
  title: 'Ask what the policy thinks of a command',
  description:
    'Tell, without running it, whether a command would run: class "safe" does, "dangerous" does with dangerous: true, "reject" never does. Returns every rule that matched, and the hints that run, task_spawn and session_run would give.',
  effect: 'reads',
  input: (settings) =>
    z.strictObject({
      command,
      cwd: cwd.optional().describe('need not exist'),
      shell: z.enum(['bash', 'zsh', 'fish', 'sh']).optional().describe(`default: the session's, else ${settings.runShell}`),
      session_id: anyId.optional(),
    }),
  output,
  handle: async (args, services, context) => {
    const where = await surroundingsFor(args, services, context);
    const { verdict, refusal, refusalWithDangerous, confirmToken } = await services.gate.foretell(args.command, where, { sessionId: args.session_id, owner: context.owner, maxClass: context.maxClass });
    return {
      class: verdict.class,
      rules: verdict.rules.map((rule) => ({ ...rule })),
      would_execute: refusal === undefined,
      would_execute_with_dangerous_true: refusalWithDangerous === undefined,
      hint_with_dangerous_false: refusal?.hint,
      hint_with_dangerous_true: refusalWithDangerous?.hint,
      confirm_token: confirmToken,
    };
  },
  text,
});

function text(result: Output): string {
  const { class: found, rules, hint_with_dangerous_false: hint, hint_with_dangerous_true: hintWithDangerous, confirm_token: token } = result;
  const answer = (isRun: boolean): string => (isRun ? 'would run' : 'would not run');
  return [
    statusLine(found, answer(result.would_execute), `${answer(result.would_execute_with_dangerous_true)} with dangerous: true`, token !== undefined && `confirm_token ${token}`),
    ...rules.map(({ rule, matched, reason }) => statusLine(`rule ${rule}`, inLine(matched), reason)),
    ...(hint === undefined ? [] : [hint]),
    ...(hintWithDangerous === undefined || hintWithDangerous === hint ? [] : [hintWithDangerous]),
  ].join('\n');
}

interface Asked {
  readonly cwd?: string | undefined;
  readonly shell?: Surroundings['shell'] | undefined;
  readonly session_id?: string | undefined;
}

/** Where the command would run; what was not said is as run or session_run would have it. */
async function surroundingsFor({ cwd, shell, session_id: sessionId }: Asked, services: Services, context: CallContext): Promise<Surroundings> {
  const session = sessionId === undefined ? undefined : services.sessions.surroundings(context.owner, sessionId);
  const place = sessionId === undefined ? undefined : services.sessions.beside(context.owner, sessionId);
  return {
    shell: shell ?? session?.shell ?? services.runner.shell(undefined).name,
    cwd: cwd === undefined ? (session?.cwd ?? (await directoryOf(undefined, services, context)).path) : await realOrNamed(cwd, place, services),
    environment: session?.environment ?? {},
  };
}

/** As a run there would have it; as it is named where none can run. */
async function realOrNamed(cwd: string, beside: SessionPlace | undefined, { roots }: Services): Promise<string> {
  try {
    return (await roots.resolve(cwd, beside)).path;
  } catch (error) {
    if (error instanceof ExpectedError) return resolve(roots.absolute(cwd, beside));
    throw error;
  }
}
