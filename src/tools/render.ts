// The text form of results: status lines in brackets, a blank line, then output as it is.

/** A fact that is not there is left out of the line. */
type Part = string | false | undefined;

/** `[exit 0 · 12 ms · /home/u/app]` */
export function statusLine(...parts: readonly Part[]): string {
  return `[${joined(parts)}]`;
}

/** The same without brackets, for the entries of a list. */
export function joined(parts: readonly Part[]): string {
  return parts.filter((part) => part !== undefined && part !== false).join(' · ');
}

/** Lines at the head, a blank line, and the output when there is some. */
export function page(head: readonly string[], body: string): string {
  return body === '' ? head.join('\n') : `${head.join('\n')}\n\n${body}`;
}

/** A text inside a line: as it is, or quoted when it would break the line. */
export function inLine(text: string): string {
  return /[\p{Cc}\u2028\u2029]/u.test(text) ? JSON.stringify(text) : text;
}

/** One line for each warning. */
export function warningLines(warnings: readonly string[] = []): string[] {
  return warnings.map((warning) => statusLine(`warning: ${inLine(warning)}`));
}

/** Both streams of a command. The separator brings its own newline, so that it shows whether stdout ended with one. */
export function streams(stdout: string, stderr: string): string {
  return stderr === '' ? stdout : `${stdout}\n[stderr]\n${stderr}`;
}

/** `[ended: 123 sleep, 124 node]`, nothing for an empty list. */
export function processLine(label: string, processes: readonly { pid: number; name: string }[] = []): string[] {
  if (processes.length === 0) return [];
  return [statusLine(`${label}: ${processes.map(({ pid, name }) => `${pid} ${inLine(name)}`).join(', ')}`)];
}
