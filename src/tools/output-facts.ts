// What the log says about an output beside its text, as facts and warnings of a result.
import type { Rendered } from '../output/render.ts';

/** Warnings about what a reader of the text does not see. `name` is the stream's. */
export function outputWarnings(name: string, { folded, lostBytes, suspicious }: Rendered): string[] {
  const warnings: string[] = [];
  if (folded > 0) warnings.push(`${name}: ${folded} overwritten states of lines (progress bars) are left out`);
  if (lostBytes > 0) warnings.push(`${name}: ${lostBytes} bytes were lost before they were read`);
  if (suspicious > 0) warnings.push(`${name}: ${suspicious} invisible or direction-changing characters are shown as \\u{…}`);
  return warnings;
}

/** The raw size, where the text does not show it: it was cut, cleaned, or is no text. */
export function sizePart(name: string, bytes: number, text: string): string | undefined {
  return Buffer.byteLength(text) === bytes ? undefined : `${name}${bytes} bytes`;
}

/** For facts that are left out at their default. */
export function unlessDefault<Value>(value: Value, byDefault: Value): Value | undefined {
  return value === byDefault ? undefined : value;
}

/** A list, or nothing when it is empty. */
export function unlessEmpty<Item>(items: readonly Item[] | undefined): Item[] | undefined {
  return items === undefined || items.length === 0 ? undefined : [...items];
}
