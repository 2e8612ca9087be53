// The tools that open, list and end sessions.
import { z } from 'zod';
import { defined } from '../lib/defined.ts';
import type { CreatedSession, SessionSummary } from '../session/api.ts';
import { counted } from '../lib/counted.ts';
import { processList } from './command-report.ts';
import { anyId, cwd, environment, givenName, graceMs } from './fields.ts';
import { unlessDefault, unlessEmpty } from './output-facts.ts';
import { directoryOf } from './place.ts';
import { inLine, joined, page, processLine, statusLine, warningLines } from './render.ts';
import { defineTool } from './tool.ts';

const created = z.object({
  session_id: z.string(),
  name: z.string(),
  shell: z.string(),
  shell_path: z.string(),
  shell_version: z.string().optional(),
  integration: z.enum(['full', 'no_theme', 'no_rc']),
  pid: z.int(),
  cwd: z.string(),
  cols: z.int(),
  rows: z.int(),
  startup_ms: z.int(),
  startup_output: z.string().optional(),
  created_at: z.string(),
  warnings: z.array(z.string()).optional(),
});
type Created = z.input<typeof created>;

export const sessionCreate = defineTool({
  name: 'session_create',
  title: 'Open a session',
  description: `Open a session: the user's own interactive shell with its rc files, alive on a terminal until it is destroyed. Whatever session_run does in it persists: cd, export, functions, options, virtual environments, background jobs. Use several for work that must go on in parallel, or "run" for a single command.
Returns session_id for session_run, the shell, its cwd, and what the rc files printed. "integration" says how far the rc files could be kept: full, no_theme (prompt hooks removed), no_rc (none read); warnings say why. End it with session_destroy.`,
  effect: 'runs',
  input: (settings) =>
    z.strictObject({
      name: givenName.optional().describe('for people, at most 64 characters'),
      cwd: cwd.optional().describe('absolute or ~/…; default: the project directory'),
      shell: z.enum(['bash', 'zsh', 'fish']).optional().describe(`default: ${settings.shell ?? "the user's"}`),
      login: z.boolean().default(settings.login),
      env: environment.optional().describe('exported in the session'),
      cols: z.int().min(10).max(1_000).default(120),
      rows: z.int().min(2).max(1_000).default(40),
    }),
  output: created,
  handle: async ({ cwd, env = {}, ...args }, services, context) => {
    const { path, warnings } = await directoryOf(cwd, services, context);
    await services.gate.approveEnvironment(env, context);
    context.record.start({ cwd: path });
    const session = await services.sessions.create(context.owner, defined({ ...args, env, cwd: path }), context.signal);
    return structuredCreated({ ...session, warnings: [...warnings, ...session.warnings] });
  },
  text: createdText,
});

function structuredCreated(session: CreatedSession): Created {
  return {
    session_id: session.sessionId,
    name: session.name,
    shell: session.shell,
    shell_path: session.shellPath,
    shell_version: session.shellVersion,
    integration: session.integration,
    pid: session.pid,
    cwd: session.cwd,
    cols: session.cols,
    rows: session.rows,
    startup_ms: Math.round(session.startupMs),
    startup_output: unlessDefault(session.startupOutput, ''),
    created_at: session.createdAt,
    warnings: unlessEmpty(session.warnings),
  };
}

function createdText(session: Created): string {
  const status = statusLine(
    `${session.startup_ms} ms`,
    inLine(session.cwd),
    session.session_id,
    inLine(session.name),
    joined([session.shell, session.shell_version]).replace(' · ', ' '),
    inLine(session.shell_path),
    `integration ${session.integration}`,
    `pid ${session.pid}`,
    `${session.cols}x${session.rows}`,
    session.created_at,
  );
  return page([status, ...warningLines(session.warnings)], session.startup_output ?? '');
}

const listed = z.object({
  sessions: z.array(
    z.object({
      session_id: z.string(),
      name: z.string(),
      shell: z.string(),
      state: z.enum(['starting', 'idle', 'running', 'ended']),
      cwd: z.string(),
      command: z.string().optional(),
      created_at: z.string(),
      last_used_at: z.string(),
      env_count: z.int(),
      commands_run: z.int(),
    }),
  ),
  count: z.int(),
});
type Listed = z.input<typeof listed>;

export const sessionList = defineTool({
  name: 'session_list',
  title: 'List sessions',
  description:
    'List your open sessions, most recently used first: id, name, shell, cwd, and state (idle: ready for session_run; running: busy with "command"; ended: the shell is gone and the next session_run starts a new one in its place). Use it to find a session again, or one to end when the limit is reached.',
  effect: 'reads',
  input: () => z.strictObject({}),
  output: listed,
  handle: (_, { sessions }, { owner }) => {
    const entries = sessions.list(owner).map(structuredSummary);
    return { sessions: entries, count: entries.length };
  },
  text: ({ sessions, count }) => page([statusLine(counted(count, 'session'))], sessions.map(summaryLine).join('\n')),
});

function structuredSummary(session: SessionSummary): Listed['sessions'][number] {
  const { sessionId, createdAt, lastUsedAt, envCount, commandsRun, ...same } = session;
  return { session_id: sessionId, ...same, created_at: createdAt, last_used_at: lastUsedAt, env_count: envCount, commands_run: commandsRun };
}

function summaryLine(session: Listed['sessions'][number]): string {
  return joined([
    session.session_id,
    inLine(session.name),
    session.shell,
    session.state,
    inLine(session.cwd),
    counted(session.commands_run, 'command'),
    counted(session.env_count, 'variable'),
    `created ${session.created_at}`,
    `used ${session.last_used_at}`,
    session.command !== undefined && inLine(session.command),
  ]);
}

const destroyed = z.object({ ok: z.boolean(), session_id: z.string(), killed: processList.optional(), survivors: processList.optional() });

export const sessionDestroy = defineTool({
  name: 'session_destroy',
  title: 'End a session',
  description:
    'End a session and every process that was started in it, also background jobs and what called nohup, disown or setsid. They get SIGHUP and SIGTERM, and SIGKILL after grace_ms. Returns "ok" once nothing is left, and what was still running (killed). Do this when a session is no longer needed; what should outlive it belongs into task_spawn. A second time is SESSION_NOT_FOUND.',
  effect: 'destroys',
  input: () => z.strictObject({ session_id: anyId, grace_ms: graceMs }),
  output: destroyed,
  handle: async ({ session_id: sessionId, grace_ms: graceMs }, { sessions }, { owner }) => {
    const { killed, survivors } = await sessions.destroy(owner, sessionId, { graceMs });
    return { ok: survivors.length === 0, session_id: sessionId, killed: unlessEmpty(killed), survivors: unlessEmpty(survivors) };
  },
  text: ({ ok, session_id: sessionId, killed, survivors }) =>
    page([statusLine(ok ? 'ok' : 'not everything ended', sessionId), ...processLine('killed', killed), ...processLine('still alive', survivors)], ''),
});
