// Whether fish would read on: a quote, a bracket or a line is open. Its tree leaves out such a word without a sign of error.

/** Whether every quote and every bracket of a text is closed, and its last line does not go on. */
export function isComplete(text: string): boolean {
  const open: string[] = [];
  let quote = '';
  for (let at = 0; at < text.length; at++) {
    const character = text[at] ?? '';
    if (character === '\\') {
      if (at + 1 >= text.length || text.slice(at + 1) === '\n') return false;
      at++;
    } else if (quote !== '') {
      if (character === quote) quote = '';
      else if (quote === '"' && character === '$' && text[at + 1] === '(') {
        open.push('"');
        quote = '';
        at++;
      }
    } else if (character === "'" || character === '"') quote = character;
    else if (character === '(') open.push('(');
    else if (character === ')') {
      const opened = open.pop();
      if (opened === '"') quote = '"'; // back in the string that the substitution stands in
    } else if (character === '#' && /^$|[\s;|&(]/.test(text[at - 1] ?? '')) at = (text.indexOf('\n', at) + 1 || text.length + 1) - 2;
  }
  return quote === '' && open.length === 0;
}
