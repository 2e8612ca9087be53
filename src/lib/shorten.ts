// Values of callers in messages: quoted, on one line, and short however long they are.

const MAX_CHARACTERS = 60;

/** A value as JSON shows it, cut to 60 characters with the count of what is missing. */
export function shorten(value: unknown): string {
  const isText = typeof value === 'string';
  const whole = isText ? value : shown(value);
  const missing = whole.length - MAX_CHARACTERS;
  const head = missing > 0 ? whole.slice(0, MAX_CHARACTERS) : whole;
  return (isText ? JSON.stringify(head) : head) + (missing > 0 ? `… (${missing} more characters)` : '');
}

/** Values that JSON has no word for keep their own name: 1e400 is read as Infinity. */
function shown(value: unknown): string {
  if (typeof value === 'number') return String(value);
  return JSON.stringify(value) ?? String(value);
}
