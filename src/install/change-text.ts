// What would change in a file, for a person to look at.

const CONTEXT = 2;

/** The lines that go and come, with a few around them. */
export function changeText(before: string, after: string): string {
  const [old, fresh] = [before.split('\n'), after.split('\n')];
  let start = 0;
  while (start < Math.min(old.length, fresh.length) && old[start] === fresh[start]) start++;
  let end = 0;
  while (end < Math.min(old.length, fresh.length) - start && old.at(-1 - end) === fresh.at(-1 - end)) end++;
  const shown = (lines: readonly string[], sign: string): string[] => lines.map((line) => `${sign} ${line}`.trimEnd());
  return [
    ...shown(old.slice(Math.max(0, start - CONTEXT), start), ' '),
    ...shown(old.slice(start, old.length - end), '-'),
    ...shown(fresh.slice(start, fresh.length - end), '+'),
    ...shown(old.slice(old.length - end, old.length - end + CONTEXT), ' '),
  ].map((line) => `${line}\n`).join('');
}
