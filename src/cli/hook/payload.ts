// What a client tells a hook before it uses a tool, and how it is told to leave that: each client in its own words.

/** A shell tool is about to run a command. */
export interface ShellCall {
  readonly command: string;
  /** `powershell`: decides how an assignment is written. */
  readonly tool: string;
  /** The answer that turns the call back. */
  readonly refusal: (reason: string) => object;
}

/** The shell tools of clients, in small letters. Our own tools are none of them: what they run is inside already. */
const SHELL_TOOLS: ReadonlySet<string> = new Set(['bash', 'powershell', 'shell', 'cmd', 'terminal', 'run_in_terminal', 'runinterminal', 'run_terminal_cmd', 'run_shell_command', 'run_command', 'local_shell']);

/** Undefined for everything else, also for what cannot be understood: then it is none of our business. */
export function readShellCall(text: string): ShellCall | undefined {
  const payload = parsed(text.trim()); // takes a byte-order mark away, too
  if (!isRecord(payload)) return undefined;
  const event = payload['hook_event_name'] ?? payload['hookEventName'];
  if (event !== undefined && String(event).toLowerCase() !== 'pretooluse') return undefined;
  const { tool, input, refusal } = dialectOf(payload);
  const command = isRecord(input) ? input['command'] : undefined;
  if (typeof tool !== 'string' || typeof command !== 'string' || !SHELL_TOOLS.has(tool.toLowerCase())) return undefined;
  return { command, tool: tool.toLowerCase(), refusal };
}

interface Dialect {
  readonly tool: unknown;
  readonly input: unknown;
  readonly refusal: (reason: string) => object;
}

function dialectOf(payload: Readonly<Record<string, unknown>>): Dialect {
  const { tool_name: tool, tool_input: input, toolName, toolArgs, input: inner } = payload;
  if (tool !== undefined) return { tool, input, refusal: ofClaude };
  if (toolName !== undefined) return { tool: toolName, input: argumentsOf(toolArgs), refusal: decision };
  if (isRecord(inner)) return { tool: inner['toolName'], input: argumentsOf(inner['toolArgs']), refusal: (reason) => ({ _abort: { reason } }) };
  return { tool: undefined, input: undefined, refusal: decision };
}

/** Claude Code, and VS Code in its likeness. */
function ofClaude(reason: string): object {
  return { hookSpecificOutput: { hookEventName: 'PreToolUse', ...decision(reason) } };
}

/** Copilot's command line. */
function decision(reason: string): object {
  return { permissionDecision: 'deny', permissionDecisionReason: reason };
}

/** Copilot writes them as JSON inside of JSON. */
function argumentsOf(value: unknown): unknown {
  return typeof value === 'string' ? parsed(value) : value;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
