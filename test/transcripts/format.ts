// Reads transcripts: plain text that says what is run in a session and what must come back, to the byte.
//
//   == B02 a title, which begins with the ids of what it covers
//   only: bash zsh             in which shells (all, if absent)
//   rc: LINE                   a line of the user's rc file (repeated for more); rc.zsh: LINE for one shell only
//   home FILE: LINE            a line of another file below the home directory
//   env NAME: VALUE            given to session_create;  server NAME: VALUE  of the server itself
//   start_timeout_ms: 500 · login: yes · integration: no_rc · startup: REGEX (printed by the rc files) · start_warning: REGEX
//   @ timeout=300 interrupt separate queue=500 env=NAME=VALUE     options of the command that follows
//   $ COMMAND                  and  > NEXT LINE OF IT
//   < TEXT                     session_send with enter;  <- TEXT  without;  << KEY KEY  keys;  ^  session_interrupt
//   until ended                waits for that state of the session;  until file NAME  for that file in the directory it began in;
//                              until gone NAME  for the end of the process whose id is in that file
//   | LINE                     of the output;  2| LINE  of standard error when separate;  ~ REGEX  a line that matches;  ...  any lines
//   % no newline               the output does not end in one
//   = 3 · = ended 42 · = ended SIGKILL 137 · = ended unknown · = running · = awaiting line · = refused CODE     how it ends, as a pattern: (0|130);
//                              `= 0` if absent
//   ? REGEX                    a warning that must be there; others must not
//   # a comment
//
// {{home}} and {{work}} are the directories of the case, {{x*5000}} is 5,000 times x, {{U+0007}} a character.

export type Expected =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'pattern'; readonly text: string }
  | { readonly kind: 'any' };

export type Action =
  | { readonly kind: 'run'; readonly text: string; readonly options: readonly string[] }
  | { readonly kind: 'send'; readonly text: string; readonly enter: boolean; readonly options: readonly string[] }
  | { readonly kind: 'keys'; readonly keys: readonly string[]; readonly options: readonly string[] }
  | { readonly kind: 'interrupt'; readonly options: readonly string[] }
  | { readonly kind: 'until'; readonly what: string };

export interface Step {
  readonly action: Action;
  readonly line: number;
  readonly output: readonly Expected[];
  readonly stderr: readonly Expected[];
  readonly endsInNewline: boolean;
  readonly end: string;
  readonly warnings: readonly string[];
}

export interface Case {
  readonly title: string;
  readonly line: number;
  /** Directives above the first step, in order. */
  readonly setup: readonly { readonly key: string; readonly value: string }[];
  readonly steps: readonly Step[];
}

type Draft<T> = { -readonly [K in keyof T]: T[K] extends readonly (infer U)[] ? U[] : T[K] };

const DIRECTIVE = /^(only|rc(?:\.\w+)?|home \S+|env \w+|server \w+|start_timeout_ms|login|integration|startup|start_warning): ?(.*)$/;

/** The cases of a file. Throws with the line number where it cannot be read. */
export function parseTranscript(text: string): Case[] {
  const cases: Draft<Case>[] = [];
  let options: string[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    if (line === '' || line.startsWith('#')) continue;
    const current = cases.at(-1);
    if (line.startsWith('== ')) cases.push({ title: line.slice(3), line: index + 1, setup: [], steps: [] });
    else if (current === undefined) throw new Error(`line ${index + 1}: before the first case`);
    else if (line.startsWith('@ ')) options = line.slice(2).split(' ');
    else options = takeLine(current, { line, number: index + 1, options });
  }
  return cases;
}

function takeLine(current: Draft<Case>, { line, number, options }: { line: string; number: number; options: string[] }): string[] {
  const action = actionOf(line, options);
  if (action !== undefined) {
    current.steps.push({ action, line: number, output: [], stderr: [], endsInNewline: true, end: action.kind === 'until' ? '' : '0', warnings: [] });
    return [];
  }
  const step = current.steps.at(-1) as Draft<Step> | undefined;
  const directive = DIRECTIVE.exec(line);
  if (step === undefined && directive !== null) current.setup.push({ key: directive[1] ?? '', value: directive[2] ?? '' });
  else if (step === undefined || !takeExpectation(step, line)) throw new Error(`line ${number}: cannot be read: ${line}`);
  return options;
}

function actionOf(line: string, options: readonly string[]): Action | undefined {
  if (line === '^') return { kind: 'interrupt', options };
  const [, mark, rest = ''] = /^(\$|<<|<-|<|until)(?: (.*))?$/.exec(line) ?? [];
  if (mark === '$') return { kind: 'run', text: rest, options };
  if (mark === '<' || mark === '<-') return { kind: 'send', text: rest, enter: mark === '<', options };
  if (mark === '<<') return { kind: 'keys', keys: rest.split(' '), options };
  return mark === undefined ? undefined : { kind: 'until', what: rest };
}

function takeExpectation(step: Draft<Step>, line: string): boolean {
  if (line === '...') return step.output.push({ kind: 'any' }) > 0;
  const [, mark, rest = ''] = /^(>|\||2\||~|2~|%|=|\?)(?: (.*))?$/.exec(line) ?? [];
  if (mark === '|') return step.output.push({ kind: 'text', text: rest }) > 0;
  if (mark === '~') return step.output.push({ kind: 'pattern', text: rest }) > 0;
  if (mark === '2|') return step.stderr.push({ kind: 'text', text: rest }) > 0;
  if (mark === '2~') return step.stderr.push({ kind: 'pattern', text: rest }) > 0;
  if (mark === '?') return step.warnings.push(rest) > 0;
  if (mark === '=') step.end = rest;
  else if (mark === '%') step.endsInNewline = false;
  else if (mark === '>' && step.action.kind === 'run') step.action = { ...step.action, text: `${step.action.text}\n${rest}` };
  else return false;
  return true;
}

/** A text with its placeholders filled in. */
export function fill(text: string, places: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\{\{(?:(\w+)|(.)\*(\d+)|U\+([0-9A-F]{4,6}))\}\}/g, (whole, name?: string, char?: string, count?: string, point?: string) => {
    if (name !== undefined) return places[name] ?? whole;
    if (char !== undefined) return char.repeat(Number(count));
    return String.fromCodePoint(Number.parseInt(point ?? '', 16));
  });
}

/** Whether lines, from the `at`th on, are as expected. */
export function matches(lines: readonly string[], expected: readonly Expected[], at = 0): boolean {
  const [first, ...rest] = expected;
  const line = lines[at];
  if (first === undefined) return line === undefined;
  if (first.kind === 'any') return rest.length === 0 || matches(lines, rest, at) || (line !== undefined && anyFrom(lines, rest, at + 1));
  if (line === undefined) return false;
  const isEqual = first.kind === 'text' ? line === first.text : new RegExp(`^(?:${first.text})$`, 'u').test(line);
  return isEqual && matches(lines, rest, at + 1);
}

function anyFrom(lines: readonly string[], expected: readonly Expected[], from: number): boolean {
  for (let at = from; at <= lines.length; at++) if (matches(lines, expected, at)) return true;
  return false;
}
