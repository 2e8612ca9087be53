// What depends on a program's name alone is worked out once for each name: texts are full of the same few.

/** Names beyond this begin anew. */
const MAX_NAMES = 1_024;
/** A longer name may be a slice of the text that it stood in, and would keep that in memory. */
const MAX_LENGTH = 12;

/** The same function, which remembers what it has found. */
export function perName<T>(find: (name: string) => T): (name: string) => T {
  const found = new Map<string, { readonly value: T }>();
  return (name) => {
    const known = found.get(name);
    if (known !== undefined) return known.value;
    const value = find(name);
    if (name.length > MAX_LENGTH) return value;
    if (found.size >= MAX_NAMES) found.clear();
    found.set(name, { value });
    return value;
  };
}
