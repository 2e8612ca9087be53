// `NAME=value` in front of commands of fish. Its tree only says that they are there: their values are read from the text, where that is beyond doubt.

const NAMES = /(?:^|[\s;|&({])[A-Za-z_]\w*=/g;
/** A value without anything that fish would expand. */
const PLAIN = /(?:^|[\s;|&({])([A-Za-z_]\w*)=(?:'([^'\\]*)'|"([^"\\$(]*)"|([\w./:@%+,=-]*))(?=[\s;|&)]|$)/g;

/** The assignments of a text in order, or undefined when some may be arguments, or have values that are expanded. */
export function plainAssignments(text: string, count: number): { readonly name: string; readonly value: string }[] | undefined {
  const found = [...text.matchAll(PLAIN)].map(([, name = '', single, double, bare]) => ({ name, value: single ?? double ?? bare ?? '' }));
  return found.length === count && (text.match(NAMES) ?? []).length === count ? found : undefined;
}
