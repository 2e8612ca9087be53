// What a makefile runs, as far as its lines say so: recipes, and `$(shell …)`. Its own variables are unknown.
import { UNKNOWN } from './marks.ts';

/** More lines than this are no makefile that is typed into a command. */
const MAX_LINES = 500;

/** The shell code of a makefile; what cannot be told from its text is one unknown more. */
export function recipesOf(makefile: string): readonly string[] {
  const text = makefile.replace(/\\\n[ \t]*/g, ' ');
  const lines = text.split('\n');
  const shell = [...text.matchAll(/\$[({]shell\s+([^\n]*)[)}]/g)].map(([, code]) => code ?? '');
  const recipes = lines.slice(0, MAX_LINES).flatMap((line) => {
    const code = /^\t\s*[-@+]*(.*)$/.exec(line)?.[1] ?? /^[^\s#=:][^=:]*::?(?!=)[^=;]*;\s*[-@+]*(.*)$/.exec(line)?.[1] ?? /^\s*\w+\s*!=\s*(.*)$/.exec(line)?.[1];
    return code === undefined ? [] : [code];
  });
  const isOpaque = lines.length > MAX_LINES || /^\s*(?:-?include|sinclude|SHELL|\.SHELLFLAGS|\.RECIPEPREFIX|define|load)\b|\$\(eval\b/m.test(text);
  return [...shell, ...recipes, ...(isOpaque ? [UNKNOWN] : [])].map(expanded);
}

/** `$$` is the dollar of the shell; what make puts in is not known. */
function expanded(code: string): string {
  return code.replace(/\$\$|\$(?:\([^()]*\)|\{[^{}]*\}|[^$({\s])/g, (whole) => (whole === '$$' ? '$' : UNKNOWN));
}
