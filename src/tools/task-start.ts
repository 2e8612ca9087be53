// The tools that start background tasks and list them.
import { z } from 'zod';
import { defined } from '../lib/defined.ts';
import { counted } from '../lib/counted.ts';
import { classification, classificationLines, permissionOf } from './approval.ts';
import { anyId, command, cwd, environment, givenName, override } from './fields.ts';
import { unlessEmpty } from './output-facts.ts';
import { placeOf } from './place.ts';
import { inLine, joined, page, statusLine, warningLines } from './render.ts';
import { taskState } from './task-report.ts';
import { defineTool } from './tool.ts';

/** Node's timers go no further; 24 days. */
const MAX_LIFETIME_MS = 2 ** 31 - 1;
/** Enough to recognise a command; it may have megabytes. */
const SHOWN_COMMAND_CHARACTERS = 500;

const spawned = z.object({
  task_id: z.string(),
  name: z.string().optional(),
  state: z.enum(['running', 'queued']),
  pid: z.int().optional(),
  command: z.string(),
  cwd: z.string(),
  started_at: z.string(),
  classification,
  warnings: z.array(z.string()).optional(),
});

export const taskSpawn = defineTool({
  name: 'task_spawn',
  title: 'Start a background task',
  description: `Start a command in the background and return at once with its task_id: servers, watchers, builds, whatever takes long. Start independent tasks one after the other and they run in parallel; beyond the limit they are "queued" and start by themselves.
Always poll what you spawned (task_poll, or task_wait for several) to see how it went, and terminate what is no longer needed: task_poll with terminate true. A task lives until it ends, its timeout_ms is over (exit code 124), or the server ends. Example: task_spawn {"command": "npm test"} gives t_…; task_wait {"task_ids": ["t_…"]} gives its output and exit_code.`,
  effect: 'runs',
  input: (settings) =>
    z.strictObject({
      command,
      cwd: cwd.optional().describe('absolute or ~/…; default: the project directory'),
      env: environment.optional().describe('added to the environment'),
      name: givenName.optional().describe('for people, at most 64 characters'),
      shell: z.enum(['bash', 'zsh', 'fish', 'sh']).optional().describe(`default: ${settings.shell ?? "the user's"}`),
      login: z.boolean().default(settings.login),
      session_id: anyId.optional().describe('take cwd and exported variables from that session'),
      ...override(settings),
      stdin: z.enum(['none', 'pipe']).default('none').describe('pipe: for task_write, or for servers that end without a stdin'),
      timeout_ms: z.int().min(1).max(MAX_LIFETIME_MS).optional().describe('lifetime; default: none'),
    }),
  output: spawned,
  handle: async (args, services, context) => {
    const { name, shell, login, stdin, timeout_ms: timeoutMs } = args;
    const { warnings, codeEnvironment: surroundings, ...place } = await placeOf(args, services, context);
    const where = { shell: services.tasks.shell(shell).name, cwd: place.cwd, environment: surroundings };
    const approved = await services.gate.approve(args.command, where, permissionOf(args, context));
    context.record.start({ classification: approved.classification.class, sessionId: args.session_id, cwd: place.cwd });
    const task = await services.tasks.spawn(context.owner, approved, defined({ ...place, name, shell, login, stdin, timeoutMs, onRunning: () => context.record.runs() }));
    const { taskId, state, pid, startedAt } = task;
    return { task_id: taskId, name: task.name, state, pid, command: shown(task.command), cwd: task.cwd, started_at: startedAt, classification: { ...approved.classification }, warnings: unlessEmpty(warnings) };
  },
  text: ({ task_id: id, name, state, pid, command, cwd, started_at: startedAt, classification, warnings }) =>
    page([statusLine(state, id, name, pid !== undefined && `pid ${pid}`, inLine(cwd), startedAt, classification.class), ...classificationLines(classification), ...warningLines(warnings)], command),
});

const listed = z.object({
  tasks: z.array(
    z.object({
      task_id: z.string(),
      name: z.string().optional(),
      command: z.string(),
      state: taskState,
      done: z.boolean(),
      exit_code: z.int().optional(),
      signal: z.string().optional(),
      elapsed_ms: z.int(),
      unread_bytes: z.int(),
    }),
  ),
  count: z.int(),
});
type Listed = z.input<typeof listed>['tasks'][number];

export const taskList = defineTool({
  name: 'task_list',
  title: 'List background tasks',
  description:
    'List your background tasks: id, command, state, and how many bytes of output were not read yet. A task leaves the list when its end was collected by task_poll or task_wait; include_collected shows those too for as long as their results are kept. Use it to find what is still to be polled or terminated.',
  effect: 'reads',
  input: () => z.strictObject({ include_collected: z.boolean().default(false) }),
  output: listed,
  handle: ({ include_collected: includeCollected }, { tasks }, { owner }) => {
    const entries = tasks.list(owner, includeCollected).map(
      ({ taskId, exitCode, elapsedMs, unreadBytes, command, ...task }): Listed => ({
        task_id: taskId,
        ...task,
        command: shown(command),
        exit_code: exitCode,
        elapsed_ms: Math.round(elapsedMs),
        unread_bytes: unreadBytes,
      }),
    );
    return { tasks: entries, count: entries.length };
  },
  text: ({ tasks, count }) => page([statusLine(counted(count, 'task'))], tasks.map(taskLine).join('\n')),
});

function taskLine(task: Listed): string {
  return joined([
    task.task_id,
    task.state,
    task.exit_code !== undefined && `exit ${task.exit_code}`,
    task.signal,
    `${task.elapsed_ms} ms`,
    `${task.unread_bytes} unread bytes`,
    task.name,
    inLine(task.command),
  ]);
}

function shown(command: string): string {
  const missing = command.length - SHOWN_COMMAND_CHARACTERS;
  return missing <= 0 ? command : `${command.slice(0, SHOWN_COMMAND_CHARACTERS)}… (${missing} more characters)`;
}
