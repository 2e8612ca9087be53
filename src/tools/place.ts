// Where a command starts: the directory, the environment and the umask, of the server or of a session beside it.
import { ExpectedError } from '../errors.ts';
import type { AllowedDirectory, SessionPlace } from '../policy/roots.ts';
import type { CallContext, Services } from './services.ts';

export interface PlaceArguments {
  readonly session_id?: string | undefined;
  readonly cwd?: string | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
}

export interface Place {
  readonly cwd: string;
  /** What was allowed. */
  readonly realCwd: string;
  /** The complete environment. */
  readonly env: Record<string, string>;
  readonly umask?: number;
  /** What the caller or the session has set in it: it may be code. */
  readonly codeEnvironment: Readonly<Record<string, string>>;
}

/**
 * The place of a run or a task, and what is to be said about it.
 * @throws ExpectedError INVALID_CWD, SESSION_NOT_FOUND
 */
export async function placeOf(args: PlaceArguments, services: Services, context: CallContext): Promise<Place & { readonly warnings: readonly string[] }> {
  const { session_id: sessionId, cwd, env = {} } = args;
  if (sessionId === undefined) {
    const { path, warnings } = await directoryOf(cwd, services, context);
    return { cwd: path, realCwd: path, warnings, env: { ...services.baseEnvironment, ...env }, codeEnvironment: env };
  }
  const { env: exported, startedIn, ...beside } = services.sessions.beside(context.owner, sessionId);
  const { environment } = services.sessions.surroundings(context.owner, sessionId);
  const all = { ...beside, env: { ...exported, ...env }, codeEnvironment: { ...environment, ...env } };
  const place = { cwd: beside.cwd, startedIn };
  if (cwd === undefined) return { ...all, ...(await directoryBeside(place, services)) };
  const { path, warnings } = await services.roots.resolve(cwd, place);
  return { ...all, cwd: path, realCwd: path, warnings };
}

/**
 * The directory that a caller names, or the usual one.
 * @throws ExpectedError INVALID_CWD
 */
export async function directoryOf(cwd: string | undefined, { roots }: Services, context: CallContext): Promise<AllowedDirectory> {
  if (cwd !== undefined) return roots.resolve(cwd);
  const [clientRoot] = await context.roots();
  return roots.defaultDirectory(clientRoot);
}

/** Where the session is; that may be outside the allowed roots, as it may for the session's own commands. */
async function directoryBeside(place: SessionPlace, { roots, settings }: Services): Promise<{ realCwd: string; warnings: readonly string[] }> {
  const { path, isAllowed, warnings } = await roots.standing(place);
  if (isAllowed) return { realCwd: path, warnings };
  const outside = `the session is in "${path}", outside the allowed roots`;
  if (settings.cwdPolicy === 'enforce') throw new ExpectedError('INVALID_CWD', outside, { hint: 'give a cwd that is in them; cwd_policy is "enforce"; nothing was run' });
  return { realCwd: path, warnings: [outside, ...warnings] };
}
