// The tool for one command in a fresh shell.
import { z } from 'zod';
import { defined } from '../lib/defined.ts';
import type { ApprovedCommand } from '../policy/gate.ts';
import type { RunResult } from '../task/api.ts';
import { classification, classificationLines, permissionOf } from './approval.ts';
import { anyId, command, cwd, environment, inputText, maxOutputBytes, override, timeoutMs } from './fields.ts';
import { outputWarnings, sizePart, unlessDefault, unlessEmpty } from './output-facts.ts';
import { placeOf } from './place.ts';
import { inLine, page, statusLine, streams, warningLines } from './render.ts';
import { progressOf } from './services.ts';
import { defineTool } from './tool.ts';

const output = z.object({
  stdout: z.string(),
  stderr: z.string(),
  exit_code: z.int(),
  signal: z.string().optional(),
  duration_ms: z.int(),
  queue_ms: z.int().optional(),
  timed_out: z.boolean().optional(),
  truncated: z.boolean().optional(),
  stdout_bytes: z.int(),
  stderr_bytes: z.int(),
  stdout_path: z.string().optional(),
  stderr_path: z.string().optional(),
  cwd: z.string(),
  shell: z.string(),
  classification,
  background_pids: z.array(z.int()).optional(),
  warnings: z.array(z.string()).optional(),
});
type Output = z.input<typeof output>;

export const run = defineTool({
  name: 'run',
  title: 'Run one command',
  description: `Run one command in a fresh shell and wait for its end. For what needs nothing from earlier calls; use session_run when cd, export or functions must persist, and task_spawn for servers and whatever takes longer than timeout_ms.
Returns stdout, stderr, exit_code, duration_ms, cwd. A non-zero exit is a result, not an error. Killed by signal N: 128+N and "signal". Timeout: 124 and "timed_out", after SIGTERM and 2 s later SIGKILL to everything it started. It returns when the shell ends; children left in the background are listed in background_pids. A stream longer than max_output_bytes is cut in its middle, with the path of the whole.`,
  effect: 'runs',
  input: (settings) =>
    z.strictObject({
      command: command.describe('shell text, as you would type it; may have many lines'),
      cwd: cwd.optional().describe('absolute or ~/…; default: the project directory'),
      timeout_ms: timeoutMs(settings.maxTimeoutMs, 30_000),
      env: environment.optional().describe('added to the environment'),
      stdin: inputText.optional().describe('text for standard input; default: /dev/null'),
      shell: z.enum(['bash', 'zsh', 'fish', 'sh']).optional().describe(`default: ${settings.runShell}`),
      login: z.boolean().default(settings.login),
      session_id: anyId.optional().describe('take cwd and exported variables from that session, which stays as it is'),
      ...override(settings),
      max_output_bytes: maxOutputBytes(settings.maxOutputBytes).describe('for each stream'),
    }),
  output,
  handle: async (args, services, context) => {
    const { warnings, codeEnvironment: environment, ...place } = await placeOf(args, services, context);
    const { shell, login, stdin, timeout_ms: timeoutMs, max_output_bytes: maxOutputBytes } = args;
    const where = { shell: services.runner.shell(shell).name, cwd: place.cwd, environment };
    const permission = permissionOf(args, context);
    const command = await services.gate.approve(args.command, where, permission);
    if (stdin !== undefined) await services.gate.approveStandardInput(stdin, command, permission);
    context.record.start({ classification: command.classification.class, sessionId: args.session_id, cwd: place.cwd });
    const options = defined({ ...place, shell, login, stdin, timeoutMs, maxOutputBytes, onRunning: () => context.record.runs(), onProgress: progressOf(context, timeoutMs) });
    const result = await services.runner.run(context.owner, command, options, context.signal);
    return structured({ ...result, warnings: [...warnings, ...result.warnings] }, command);
  },
  text,
});

function structured(result: RunResult, command: ApprovedCommand): Output {
  const { stdout, stderr } = result;
  return {
    stdout: stdout.text,
    stderr: stderr.text,
    exit_code: result.exitCode,
    signal: result.signal,
    duration_ms: Math.round(result.durationMs),
    queue_ms: unlessDefault(Math.round(result.queueMs), 0),
    timed_out: unlessDefault(result.timedOut, false),
    truncated: unlessDefault(stdout.truncated || stderr.truncated, false),
    stdout_bytes: stdout.bytes,
    stderr_bytes: stderr.bytes,
    stdout_path: stdout.path,
    stderr_path: stderr.path,
    cwd: result.cwd,
    shell: result.shell,
    classification: { ...command.classification },
    background_pids: unlessEmpty(result.backgroundPids),
    warnings: unlessEmpty([...outputWarnings('stdout', stdout), ...outputWarnings('stderr', stderr), ...result.warnings]),
  };
}

function text(result: Output): string {
  const { background_pids: background = [], stdout_path: stdoutPath, stderr_path: stderrPath } = result;
  const status = statusLine(
    `exit ${result.exit_code}`,
    result.signal,
    result.timed_out === true && 'timed out',
    `${result.duration_ms} ms`,
    result.queue_ms !== undefined && `queued ${result.queue_ms} ms`,
    inLine(result.cwd),
    result.shell,
    result.classification.class,
    result.truncated === true && 'truncated',
    sizePart('stdout ', result.stdout_bytes, result.stdout),
    sizePart('stderr ', result.stderr_bytes, result.stderr),
  );
  const notes = [
    ...classificationLines(result.classification),
    stdoutPath !== undefined && statusLine(`whole stdout: ${inLine(stdoutPath)}`),
    stderrPath !== undefined && statusLine(`whole stderr: ${inLine(stderrPath)}`),
    background.length > 0 && statusLine(`still running in the background: ${background.join(', ')}`),
  ].filter((line) => line !== false);
  return page([status, ...notes, ...warningLines(result.warnings)], streams(result.stdout, result.stderr));
}
