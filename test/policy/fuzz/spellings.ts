// The many ways to write one word in bash. Each gives the word, and what must have been said before it.
import type { Random } from './random.ts';

export interface Spelled {
  /** Commands that come first, each with a separator at its end. */
  readonly before: string;
  readonly word: string;
}

/** One argument for a shell, whatever it holds. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** The same in double quotes. */
export function doubleQuoted(text: string): string {
  return `"${text.replace(/[\\"$`]/g, '\\$&')}"`;
}

/** The same as escapes. */
export function escaped(text: string, random: Random): string {
  const escapes = [...text].map((character) => {
    if (character === '\n') return '\\n';
    const code = character.charCodeAt(0);
    return random.pick([`\\x${code.toString(16).padStart(2, '0')}`, `\\${code.toString(8).padStart(3, '0')}`, `\\u${code.toString(16).padStart(4, '0')}`, /[\\']/.test(character) ? `\\${character}` : character]);
  });
  return `$'${escapes.join('')}'`;
}

const SPELLINGS: readonly [Spell, ...Spell[]] = [
  (text) => bare(text),
  (text) => bare(text),
  (text) => bare(quoted(text)),
  (text) => bare(doubleQuoted(text)),
  (text, { random }) => bare(escaped(text, random)),
  (text, { random }) => bare(cut(text, random).map((part) => random.pick([part, quoted(part), doubleQuoted(part), `${part}''`, `""${part}`])).join('')),
  (text, { random }) => bare([...text].map((character) => (random.chance(0.3) ? `\\${character}` : character)).join('')),
  (text, { name, random }) => ({ before: `${name}=${random.pick([text, quoted(text)])}; `, word: random.pick([`$${name}`, `"$${name}"`, `\${${name}}`, `"\${${name}}"`, `\${${name}:-x}`, `\${${name}@Q}`]) }),
  (text, { name, random }) => {
    const [head = '', tail = ''] = cut(text, random);
    return { before: `${name}=${head}; ${random.pick([`${name}+=${tail}`, `${name}=$${name}${tail}`, `${name}="\${${name}}"${tail}`])}; `, word: `$${name}` };
  },
  (text, { name }) => bare(`\${${name}_unset:-${text}}`),
  (text, { name }) => bare(`\${${name}_unset:=${text}}`),
  (text, { name, random }) => ({ before: `${name}=${random.pick(['x', '-', 'ab'])}${text}; `, word: `\${${name}#${random.pick(['?', '*[!m/]'])}}` }),
  (text, { name }) => ({ before: `${name}=xx${text}; `, word: `\${${name}:2}` }),
  (text, { name }) => ({ before: `${name}=x${text}xx; `, word: `\${${name}:1:${text.length}}` }),
  (text, { name }) => ({ before: `${name}=${text}.x; `, word: `\${${name}%.x}` }),
  (text, { name }) => ({ before: `${name}=${text.replace(/s/g, 'Q')}; `, word: `\${${name}//Q/s}` }),
  (text, { name }) => ({ before: `${name}=${text.toUpperCase()}; `, word: `\${${name},,}` }),
  (text, { name }) => ({ before: `${name}=(x ${text}); `, word: `\${${name}[1]}` }),
  (text, { name }) => ({ before: `${name}=${text}; ${name}_name=${name}; `, word: `\${!${name}_name}` }),
  (text, { name }) => ({ before: `printf -v ${name} %s ${text}; `, word: `$${name}` }),
  (text, { name }) => ({ before: `read -r ${name} <<< ${text}; `, word: `$${name}` }),
  (text, { name }) => ({ before: `mapfile -t ${name} <<< ${text}; `, word: `$${name}` }),
  (text, { name }) => ({ before: `export ${name}=${text}; `, word: `"$${name}"` }),
  (text) => ({ before: `set -- ${text}; `, word: '$1' }),
  (text) => ({ before: `: ${text}; `, word: '$_' }),
  (text, { random }) => bare(random.pick([`$(echo ${text})`, `\`echo ${text}\``, `$(printf %s ${text})`, `$(printf '%s' ${quoted(text)})`])),
  (text, { random }) => bare(`$(printf ${quoted(escaped(text, random).slice(2, -1))})`),
  (text, { random }) => bare(`$(echo -e ${quoted([...text].map((one) => (random.chance(0.4) ? `\\x${one.charCodeAt(0).toString(16)}` : one)).join(''))})`),
  (text) => bare(`$(cat <<< ${text})`),
  (text) => bare(`$(rev <<< ${[...text].reverse().join('')})`),
  (text) => bare(`$(echo ${text.replace(/s/g, 'S')} | tr S s)`),
  (text) => bare(`$(echo x${text} | sed s/x//)`),
  (text) => bare(`$(base64 -d <<< ${Buffer.from(text).toString('base64')})`),
  (text, { name }) => ({ before: `declare -l ${name}=${text.toUpperCase()}; `, word: `$${name}` }),
  (text, { name }) => ({ before: `declare -A ${name}=([a]=${text}); `, word: `"\${${name}[a]}"` }),
  (text, { name }) => ({ before: `${name}=${text}; declare -n ${name}_ref=${name}; `, word: `$${name}_ref` }),
];

/** Ways that are read as they stand. */
export function spellPlainly(text: string, { random }: SpellTools): Spelled {
  return bare(random.pick([text, quoted(text), doubleQuoted(text), escaped(text, random), cut(text, random).map(quoted).join('')]));
}

export interface SpellTools {
  /** A name that nothing else uses. */
  readonly name: string;
  readonly random: Random;
}
type Spell = (text: string, tools: SpellTools) => Spelled;

/** One of the ways to write a word of plain characters. */
export function spell(text: string, tools: SpellTools): Spelled {
  return tools.random.pick(SPELLINGS)(text, tools);
}

function bare(word: string): Spelled {
  return { before: '', word };
}

function cut(text: string, random: Random): string[] {
  const at = 1 + random.below(text.length - 1);
  return [text.slice(0, at), text.slice(at)];
}
