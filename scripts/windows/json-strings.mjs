// Where the strings of a JSON text stand, also of one with comments and trailing commas: so that one can be replaced and all else stays as it is.

/** A comment, a string, or one character that gives the text its shape; all else (numbers, true, blanks) is passed over. */
const TOKEN = /\/\/[^\n]*|\/\*[^]*?\*\/|"(?:\\.|[^"\\])*"|[{}[\]:,]/gs;

/**
 * Every string that is a value of an object, with the keys that lead to it; a place in a list is no key that is told.
 * @param {string} text
 * @returns {{ path: string[], start: number, end: number, value: string }[]} `start` and `end` with the quotes
 */
export function stringsIn(text) {
  const found = [];
  /** @type {{ isObject: boolean, key: string | undefined }[]} */
  const levels = [];
  let isValue = false;
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    const level = levels.at(-1);
    if (token === '{' || token === '[') levels.push({ isObject: token === '{', key: undefined });
    else if (token === '}' || token === ']') levels.pop();
    else if (token === ':') isValue = true;
    else if (token.startsWith('"') && level?.isObject) {
      const value = decoded(token);
      if (isValue) found.push({ path: levels.map(({ key }) => key ?? ''), start: index, end: index + token.length, value });
      else level.key = value;
    }
    if (token !== ':' && !token.startsWith('/')) isValue = false;
  }
  return found;
}

function decoded(token) {
  try {
    return JSON.parse(token);
  } catch {
    return ''; // no JSON: whoever wrote it will hear of that from the client
  }
}
