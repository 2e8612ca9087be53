// Small pieces for reading and writing Markdown.

/** A text that may stand in a table's cell. */
export const cell = (text) => String(text).replaceAll('|', '\\|').replace(/\s*\n\s*/g, ' ').trim();

/** A table of rows of cells; the first row is the head. */
export function table([head, ...rows]) {
  const line = (cells) => `| ${cells.map(cell).join(' | ')} |`;
  return [line(head), `|${' --- |'.repeat(head.length)}`, ...rows.map(line)].join('\n');
}

/** Replaces what stands between two marks; the marks stay. */
export function replaceBetween(text, name, body) {
  const [begin, end] = [`<!-- ${name}:begin -->`, `<!-- ${name}:end -->`];
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`the marks ${begin} and ${end} are missing`);
  return `${text.slice(0, from + begin.length)}\n${body}\n${text.slice(to)}`;
}

/** The text without fenced and inline code, in which nothing is a link or a heading. */
export const withoutCode = (text) => text.replace(/^(```|~~~)[^]*?^\1.*$/gm, '').replace(/`[^`\n]*`/g, '');

/** The anchors that GitHub makes of a document's headings. */
export function anchors(text) {
  const seen = new Map();
  return new Set([...text.replace(/^(```|~~~)[^]*?^\1.*$/gm, '').matchAll(/^#{1,6}\s+(.+?)\s*$/gm)].map(([, heading]) => {
    const slug = heading.toLowerCase().replace(/[^\p{L}\p{N}\s_-]/gu, '').replace(/ /g, '-');
    const count = seen.get(slug) ?? 0;
    seen.set(slug, count + 1);
    return count === 0 ? slug : `${slug}-${count}`;
  }));
}
