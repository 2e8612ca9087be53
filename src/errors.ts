// The errors a caller can expect, in one table. Everything else that is thrown is a bug and is reported as INTERNAL.

/** Codes of expected errors; clients may rely on them. */
export type ErrorCode =
  | 'INVALID_ARGUMENT'
  | 'INVALID_CWD'
  | 'RESOURCE_EXHAUSTED'
  | 'FORBIDDEN_COMMAND'
  | 'DANGEROUS_COMMAND_REQUIRES_OVERRIDE'
  | 'CONFIRMATION_DECLINED'
  | 'SESSION_NOT_FOUND'
  | 'SESSION_BUSY'
  | 'SESSION_LIMIT'
  | 'TASK_NOT_FOUND'
  | 'COMMAND_NOT_FOUND'
  | 'BACKUP_NOT_FOUND'
  | 'BAD_PATTERN'
  | 'SHELL_NOT_FOUND'
  | 'SHELL_START_FAILED'
  | 'UNKNOWN_KEY'
  | 'NOT_WRITABLE'
  | 'QUEUE_FULL'
  | 'DISK_FULL'
  | 'SHUTTING_DOWN'
  | 'INTERNAL';

/** What to do next when the place that threw knows nothing better. */
const DEFAULT_HINTS: Readonly<Record<ErrorCode, string>> = {
  INVALID_ARGUMENT: 'correct the named argument and call again; nothing was run',
  INVALID_CWD: 'give an absolute path of an existing directory that this server may use; nothing was run',
  RESOURCE_EXHAUSTED: 'the machine has no process, descriptor or terminal to spare: end sessions or tasks that are no longer needed, then call again',
  FORBIDDEN_COMMAND: 'no override is accepted for it: change the command; nothing was run',
  DANGEROUS_COMMAND_REQUIRES_OVERRIDE: 'call again with dangerous: true if it is meant; nothing was run',
  CONFIRMATION_DECLINED: 'do without it, or ask the person what to do instead; nothing was run',
  SESSION_NOT_FOUND: 'session_list shows the open sessions; session_create opens one',
  SESSION_BUSY: 'wait with session_read and timeout_ms, interrupt it with session_interrupt, or use another session',
  SESSION_LIMIT: 'end a session with session_destroy, or raise the setting max_sessions',
  TASK_NOT_FOUND: 'task_list with include_collected shows the tasks of this server',
  COMMAND_NOT_FOUND: 'results are kept for the retention time only; session_read without command_id shows the last command',
  BACKUP_NOT_FOUND: 'backup_index 0 is the current file of the audit log, 1 the newest closed one',
  BAD_PATTERN: 'patterns are RE2 syntax; put "\\" before . ( ) [ ] { } ? * + ^ $ | that are meant as themselves',
  SHELL_NOT_FOUND: 'install that shell or name another one in "shell"',
  SHELL_START_FAILED: 'look at what the shell printed; another shell can be named in "shell"',
  UNKNOWN_KEY: 'use one of the key names of the description of session_send',
  NOT_WRITABLE: 'start the task with stdin "pipe" to write to it',
  QUEUE_FULL: 'wait for running commands to end, or raise the setting max_concurrent',
  DISK_FULL: 'free space in the named directory and call again',
  SHUTTING_DOWN: 'the server is ending; start it again and call once more',
  INTERNAL: 'this is a fault of shellkeep, not of the call; the incident id leads to the stack on standard error',
};

/** The class of a command, the first rule that says so, and the part of the text that it is about. */
export interface Classification {
  readonly class: 'safe' | 'dangerous' | 'reject';
  readonly rule?: string;
  readonly matched?: string;
}

export interface ErrorDetails {
  /** What to do next, with real values in it; the table's hint when absent. */
  readonly hint?: string;
  readonly cause?: unknown;
  /** Of a command that was refused for its class. */
  readonly classification?: Classification;
}

/** An error with a code and a hint that is shown to the caller as it is. Messages: lower case, the offending value in quotes. */
export class ExpectedError extends Error {
  readonly code: ErrorCode;
  readonly hint: string;
  readonly classification: Classification | undefined;

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = 'ExpectedError';
    this.code = code;
    this.hint = details.hint ?? DEFAULT_HINTS[code];
    this.classification = details.classification;
  }
}
