// The known name nearest to a misspelt one, for hints.

/**
 * The name of the list that differs least from `word`, or undefined when none is near enough to be what was meant.
 * Near enough: at most a third of the letters differ, or one contains the other.
 */
export function nearest(word: string, names: Iterable<string>): string | undefined {
  if (word.length > MAX_LENGTH) return undefined;
  const asked = normal(word);
  let best: string | undefined;
  let bestDistance = Infinity;
  for (const name of names) {
    const distance = distanceBetween(asked, normal(name));
    if (distance < bestDistance) [best, bestDistance] = [name, distance];
  }
  return bestDistance <= Math.max(1, Math.floor(asked.length / 3)) ? best : containing(asked, names);
}

/** Longer words are not typing errors, and the comparison takes quadratic time. */
const MAX_LENGTH = 64;

/** `timeoutMs`, `timeout-ms` and `timeout_ms` are one name. */
function normal(name: string): string {
  return name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '_').replaceAll('-', '_').toLowerCase();
}

function containing(asked: string, names: Iterable<string>): string | undefined {
  if (asked.length < 3) return undefined;
  for (const name of names) {
    if (normal(name).includes(asked) || (name.length >= 3 && hasWords(asked, normal(name)))) return name;
  }
  return undefined;
}

/** Whole words: "report" is no "port". */
function hasWords(text: string, words: string): boolean {
  return `_${text}_`.includes(`_${words}_`);
}

/** Edits (insert, delete, replace, swap of neighbours) that turn one text into the other: optimal string alignment. */
function distanceBetween(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1];
      const edits = [at(last, column) + 1, at(current, column - 1) + 1, at(last, column - 1) + (same ? 0 : 1)];
      const isSwap = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      if (isSwap) edits.push(at(beforeLast, column - 2) + 1);
      current.push(Math.min(...edits));
    }
    [beforeLast, last] = [last, current];
  }
  return at(last, b.length);
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Infinity;
}
