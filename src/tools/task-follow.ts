// The tools that look at a background task, wait for it, end it and write to it.
import { z } from 'zod';
import { ExpectedError } from '../errors.ts';
import { defined } from '../lib/defined.ts';
import { counted } from '../lib/counted.ts';
import { inputApproval } from './approval.ts';
import { anyId, contextLines, cursor, inputText, maxOutputBytes, pattern, signalName, waitMs } from './fields.ts';
import { page, statusLine } from './render.ts';
import { progressOf } from './services.ts';
import { reportText, structuredReport, taskReport } from './task-report.ts';
import { defineTool } from './tool.ts';
import { until, untilOf } from './until.ts';

const DEFAULT_WAIT_MS = 30_000;

export const taskPoll = defineTool({
  name: 'task_poll',
  title: 'Look at a background task',
  description: `Look at a task: the output that is new since your last poll, and when it has finished its exit_code. wait_ms waits for the end (0 looks once) or for until ("matched"). Polls join to the whole output, nothing twice and nothing lost; a poll holds at most max_output_bytes a stream, "truncated" says that there is more. To read again give stdout_cursor or stderr_cursor (bytes; -1000: the last 1000).
"search" gives the matching lines of the whole output instead; nothing counts as read.
Poll everything you spawned until "finished", and use terminate when a task is no longer needed: SIGTERM to it and its children, SIGKILL after 5 s. "signal" sends another one instead.`,
  effect: 'destroys',
  input: (settings) =>
    z.strictObject({
      task_id: anyId,
      wait_ms: z.int().min(0).max(settings.maxWaitMs).optional().describe('default: 0, with until 30000'),
      until: until.optional(),
      terminate: z.boolean().default(false),
      signal: signalName.optional().describe('SIGINT, SIGHUP, SIGUSR1…'),
      stdout_cursor: cursor.optional(),
      stderr_cursor: cursor.optional(),
      search: pattern.optional().describe('RE2 pattern'),
      context_lines: contextLines,
      max_output_bytes: maxOutputBytes(settings.maxOutputBytes),
    }),
  output: taskReport,
  handle: async (args, { tasks, settings }, context) => {
    const { terminate, signal, stdout_cursor: stdoutCursor, stderr_cursor: stderrCursor, max_output_bytes: maxOutputBytes } = args;
    const search = args.search === undefined ? undefined : { pattern: args.search, contextLines: args.context_lines };
    const waitMs = args.wait_ms ?? (args.until === undefined ? 0 : Math.min(DEFAULT_WAIT_MS, settings.maxWaitMs));
    if (terminate && args.until !== undefined) throw new ExpectedError('INVALID_ARGUMENT', '"terminate" waits for the end, "until" for something else', { hint: 'give one of them; nothing was ended' });
    const options = defined({ waitMs, until: untilOf(args.until), search, terminate, signal, stdoutCursor, stderrCursor, maxOutputBytes, onProgress: progressOf(context, waitMs) });
    return structuredReport(await tasks.poll(context.owner, context.connection, args.task_id, options, context.signal));
  },
  text: reportText,
});

export const taskWait = defineTool({
  name: 'task_wait',
  title: 'Wait for background tasks',
  description:
    'Wait until the first of the named tasks has ended or satisfied "until", or with "all" each of them, at most timeout_ms, and return a poll result for each: new output, state, and exit_code of those that have finished. "timed_out" says that the time came first; the tasks go on. Better than polling again and again.',
  effect: 'reads',
  input: (settings) =>
    z.strictObject({
      task_ids: z.array(anyId).min(1).max(1_000),
      all: z.boolean().default(false),
      timeout_ms: waitMs(settings.maxWaitMs, DEFAULT_WAIT_MS),
      until: until.optional(),
    }),
  output: z.object({ tasks: z.array(taskReport), count: z.int(), timed_out: z.boolean().optional() }),
  handle: async ({ task_ids: taskIds, all, timeout_ms: timeoutMs, until }, { tasks, settings }, context) => {
    const options = defined({ all, timeoutMs, until: untilOf(until), maxOutputBytes: settings.maxOutputBytes, onProgress: progressOf(context, timeoutMs) });
    const waited = await tasks.wait(context.owner, context.connection, taskIds, options, context.signal);
    const reports = waited.tasks.map(structuredReport);
    return { tasks: reports, count: reports.length, timed_out: waited.timedOut || undefined };
  },
  text: ({ tasks, count, timed_out: isTimedOut }) =>
    page([statusLine(counted(count, 'task'), isTimedOut === true && 'timed out')], tasks.map(reportText).join('\n\n')),
});

export const taskWrite = defineTool({
  name: 'task_write',
  title: 'Write to a background task',
  description:
    'Write text to the standard input of a task that was spawned with stdin "pipe". The text goes as it is: end a line with a newline. "eof" closes the input afterwards. Returns the bytes written; read the answer with task_poll. NOT_WRITABLE: the task has no pipe, its input was closed, or it has ended.',
  effect: 'runs',
  input: () => z.strictObject({ task_id: anyId, text: inputText.default(''), eof: z.boolean().default(false) }),
  output: z.object({ task_id: z.string(), written_bytes: z.int(), eof: z.boolean().optional() }),
  handle: async ({ task_id: taskId, text, eof }, { tasks, gate }, context) => {
    const approveInput = inputApproval(gate, context);
    const { bytes } = await tasks.write(context.owner, taskId, { text, eof, approveInput, onWrite: ({ isSecret }) => context.record.start({ isSecret, taskId }) }, context.signal);
    return { task_id: taskId, written_bytes: bytes, eof: eof || undefined };
  },
  text: ({ task_id: taskId, written_bytes: bytes, eof }) => statusLine(`${bytes} bytes written`, eof === true && 'input closed', taskId),
});
