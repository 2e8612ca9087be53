// The tools for commands in a session: run one, send input to it, read it, interrupt it.
import { z } from 'zod';
import { ExpectedError } from '../errors.ts';
import { defined } from '../lib/defined.ts';
import { approveHere, inputApproval } from './approval.ts';
import { commandReport, ranReport, reportText, structuredReport } from './command-report.ts';
import { anyId, command, contextLines, cursor, environment, graceMs, inputText, maxOutputBytes, override, pattern, timeoutMs, waitMs } from './fields.ts';
import { progressOf } from './services.ts';
import { defineTool } from './tool.ts';
import { until, untilOf } from './until.ts';

export const sessionRun = defineTool({
  name: 'session_run',
  title: 'Run a command in a session',
  description: `Run a command in a session, at its prompt, and wait for its end. cwd, variables, functions, options and jobs stay for the next call. One command at a time: while one runs, the session is busy (SESSION_BUSY, or wait with queue_ms).
state "done": output and the real exit_code. "awaiting_input": the program waits for what "awaiting" says (line, secret, keys; its prompt): answer with session_send. "full_screen": a program has the screen; "screen" shows it, session_send types into it. "running": timeout_ms is over and the command goes on untouched: session_read waits on, session_interrupt stops it. "matched": until came true. "ended": the shell itself ended (exit, exec, set -e); the next call starts a new one in the same directory with the exported variables. "changes" names what this command changed, "background" the jobs. Long output is cut in its middle; session_read with cursor 0 gives all.`,
  effect: 'runs',
  input: (settings) =>
    z.strictObject({
      session_id: anyId,
      command: command.describe('any shell text: many lines, heredocs'),
      timeout_ms: timeoutMs(settings.maxWaitMs, 30_000).describe('how long to wait; it does not end the command'),
      on_timeout: z.enum(['keep', 'interrupt']).default('keep').describe('interrupt: end the command as session_interrupt does'),
      stderr: z.enum(['merged', 'separate']).default('merged'),
      env: environment.optional().describe('exported for this command only'),
      max_output_bytes: maxOutputBytes(settings.maxOutputBytes),
      queue_ms: waitMs(settings.maxWaitMs, 0).describe('how long to wait for a busy session'),
      until: until.optional(),
      ...override(settings),
    }),
  output: ranReport,
  handle: async (args, { sessions, gate }, context) => {
    const { timeout_ms: timeoutMs, on_timeout: onTimeout, stderr, env = {}, max_output_bytes: maxOutputBytes, queue_ms: queueMs } = args;
    const here = sessions.surroundings(context.owner, args.session_id);
    const approval = await approveHere(gate, { ...here, environment: { ...here.environment, ...env } }, args, context);
    context.record.start({ classification: approval.command.classification.class, sessionId: args.session_id, cwd: here.cwd });
    const options = defined({ timeoutMs, until: untilOf(args.until), onTimeout, stderr, env, maxOutputBytes, queueMs, approveAgain: approval.approveAgain, onRunning: () => context.record.runs(), onProgress: progressOf(context, timeoutMs) });
    const report = structuredReport(await sessions.run(context.owner, args.session_id, approval.command, options, context.signal));
    return { ...report, classification: { ...approval.command.classification } };
  },
  text: reportText,
});

export const sessionSend = defineTool({
  name: 'session_send',
  title: 'Send input to a session',
  description: `Type into the program that runs in a session: answer a question, drive a REPL or an editor, press ctrl-c. First the text, then enter, then the keys. Keys: enter tab escape up down left right home end page_up page_down delete backspace f1..f12 ctrl-a..ctrl-z ctrl-\\. cols and rows resize the terminal.
Waits up to timeout_ms (0: not at all) until the command ends or the program waits for input again, and returns as session_run does, with the output since the last answer. Not for commands: at the shell's prompt it is refused, use session_run. What a nested shell would read is judged like one.`,
  effect: 'runs',
  input: (settings) =>
    z.strictObject({
      session_id: anyId,
      text: inputText.optional(),
      enter: z.boolean().optional().describe('default: true with text'),
      keys: z.array(z.string()).max(1_000).default([]),
      cols: z.int().min(10).max(1_000).optional(),
      rows: z.int().min(2).max(1_000).optional(),
      timeout_ms: waitMs(settings.maxWaitMs, 30_000),
      until: until.optional(),
      max_output_bytes: maxOutputBytes(settings.maxOutputBytes),
    }),
  output: commandReport,
  handle: async (args, { sessions, gate }, context) => {
    const { text, enter = text !== undefined, keys, cols, rows, timeout_ms: timeoutMs, max_output_bytes: maxOutputBytes } = args;
    if (!enter && text === undefined && keys.length === 0 && cols === undefined && rows === undefined) throw nothingToSend();
    const onSend = ({ isSecret }: { readonly isSecret: boolean }): void => context.record.start({ isSecret, sessionId: args.session_id });
    const input = defined({ text, enter, keys, cols, rows, timeoutMs, until: untilOf(args.until), maxOutputBytes, approveInput: inputApproval(gate, context), onSend, onProgress: progressOf(context, timeoutMs) });
    return structuredReport(await sessions.send(context.owner, args.session_id, input, context.signal));
  },
  text: reportText,
});

function nothingToSend(): ExpectedError {
  return new ExpectedError('INVALID_ARGUMENT', 'there is nothing to send', { hint: 'give "text", "keys", or "cols" and "rows"; session_read waits without sending' });
}

export const sessionRead = defineTool({
  name: 'session_read',
  title: 'Read the output of a session',
  description: `Read the output of a session without touching it. view "output": the running or last command, or the one of command_id (kept for 10 minutes unless set otherwise); "transcript": everything, also what background jobs printed between commands; "screen": what the terminal shows now.
"search" gives the matching lines of the view instead. Without cursor: the whole, cut in its middle when it is long. With cursor (bytes, negative: from the end): from there on at most max_output_bytes; go on with the returned cursor until it stops growing. With timeout_ms it waits for the command to end, to ask for input, or for until. Returns as session_run does.`,
  effect: 'reads',
  input: (settings) =>
    z.strictObject({
      session_id: anyId,
      view: z.enum(['output', 'transcript', 'screen']).default('output'),
      command_id: anyId.optional(),
      cursor: cursor.optional(),
      max_output_bytes: maxOutputBytes(settings.maxOutputBytes),
      search: pattern.optional().describe('RE2 pattern'),
      context_lines: contextLines,
      timeout_ms: waitMs(settings.maxWaitMs, 0),
      until: until.optional(),
    }),
  output: commandReport,
  handle: async (args, { sessions }, context) => {
    const { view, command_id: commandId, cursor, max_output_bytes: maxOutputBytes, timeout_ms: timeoutMs } = args;
    const search = args.search === undefined ? undefined : { pattern: args.search, contextLines: args.context_lines };
    const options = defined({ view, commandId, cursor, search, maxOutputBytes, timeoutMs, until: untilOf(args.until), onProgress: progressOf(context, timeoutMs) });
    return structuredReport(await sessions.read(context.owner, args.session_id, options, context.signal));
  },
  text: reportText,
});

export const sessionInterrupt = defineTool({
  name: 'session_interrupt',
  title: 'Interrupt a command in a session',
  description:
    'Stop what runs in the foreground of a session and keep the shell. A ladder, each step only if the one before did not help: the terminal\'s interrupt key, SIGINT, SIGTERM, SIGKILL after grace_ms. An interrupt drops the rest of the command line; after SIGTERM or SIGKILL what follows ";" runs. Returns as session_run does, and "ladder": what was tried, what worked, what is alive. Background jobs go on.',
  effect: 'destroys',
  input: (settings) => z.strictObject({ session_id: anyId, grace_ms: graceMs, max_output_bytes: maxOutputBytes(settings.maxOutputBytes) }),
  output: commandReport,
  handle: async (args, { sessions }, { owner, signal }) => {
    const options = { graceMs: args.grace_ms, maxOutputBytes: args.max_output_bytes };
    return structuredReport(await sessions.interrupt(owner, args.session_id, options, signal));
  },
  text: reportText,
});
