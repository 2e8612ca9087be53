// Where a command starts: the directory, the environment and the umask, of the server or of a session beside it.
import type { CallContext, Services } from './services.ts';

export interface PlaceArguments {
  readonly session_id?: string | undefined;
  readonly cwd?: string | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
}

export interface Place {
  readonly cwd: string;
  /** The complete environment. */
  readonly env: Record<string, string>;
  readonly umask?: number;
  /** What the caller or the session has set in it: it may be code. */
  readonly codeEnvironment: Readonly<Record<string, string>>;
}

/**
 * The place of a run or a task.
 * @throws ExpectedError INVALID_CWD, SESSION_NOT_FOUND
 */
export async function placeOf(args: PlaceArguments, services: Services, context: CallContext): Promise<Place> {
  const { session_id: sessionId, cwd, env = {} } = args;
  if (sessionId === undefined) {
    return { cwd: await directoryOf(cwd, services, context), env: { ...services.baseEnvironment, ...env }, codeEnvironment: env };
  }
  const { env: exported, ...beside } = services.sessions.beside(context.owner, sessionId);
  const { environment } = services.sessions.surroundings(context.owner, sessionId);
  return { ...beside, ...(cwd === undefined ? {} : { cwd: services.roots.resolve(cwd, beside.cwd) }), env: { ...exported, ...env }, codeEnvironment: { ...environment, ...env } };
}

/**
 * The directory that a caller names, or the usual one.
 * @throws ExpectedError INVALID_CWD
 */
export async function directoryOf(cwd: string | undefined, { roots }: Services, context: CallContext): Promise<string> {
  if (cwd !== undefined) return roots.resolve(cwd);
  const [clientRoot] = await context.roots();
  return roots.defaultDirectory(clientRoot);
}
