// Syntax that only zsh has. The parser reads bash: a script that uses any of this is never safe.
import { unquoted } from './unquoted.ts';

const FOREIGN: readonly (readonly [RegExp, string])[] = [
  [/(?:^|[\s;|&(){}])=\(/, 'process substitution =(…)'],
  [/\$\{\([^)]*\)/, 'parameter flags ${(…)…}'],
  [/\$\{[=^~]|\$[=^~][A-Za-z_]/, 'parameter modifiers ${=x}'],
  [/[^\s|&;=$(<>]\((?:[a-zA-Z\d.,/@^-]*e[:{[|'"+(]|\+\w|[^()\n]*[/.@=*%rwxRWXstUGFNDnM^-][^()\n]*\))/, 'glob qualifiers'],
  [/(?:^|[\n;|&(){}]|\b(?:do|then|else|command|sudo))\s*=[A-Za-z]/, 'command path =name'],
  [/(?:^|[\s;|&({])repeat\s/, 'repeat'],
  [/(?:^|[\s;|&({])(?:for|foreach)\s+\w+(?:\s+\w+)*\s*\(/, 'short for'],
  [/(?:^|[\s;|&({])(?:if|while|until)\s*(?:\[\[[^\n]*?\]\]|\([^\n]*?\))\s*\{/, 'short if or while'],
  [/\}\s*always\s*\{/, 'always'],
  [/(?:^|[\s;|&({])alias\s+(?:-\w*\s+)*-\w*[gs]/, 'global or suffix alias'],
  [/(?:^|[\s;|&({])(?:noglob|nocorrect)\s+\S|(?:^|[\n;|&({}]|(?:\b(?:if|while|until|elif|then|do|else|time|command|builtin|exec)|!)\s)\s*-\s+\S/, 'precommand modifier'],
  [/(?:^|[\s;|&({])(?:zmodload|zstyle|zle|zformat|zparseopts|autoload|bindkey|vared|compdef|emulate|sched|ztcp|zsystem|add-zsh-hook|zcompile|zf_\w+|disable|enable|functions|preexec|precmd|chpwd|periodic|zshexit|zpty|zargs|zmv|zcp|zln|zsocket|zftp|ztie|r)\b(?![-.\/=])/, 'builtins of zsh'],
  [/(?:^|(?:[\n;|({]|(?<![<>])&)\s*)"?\$(?:\w+|\{\w+\})(?:\[[^\]]*\])?"?(?:\s|$|;)/, 'an array as a command'],
  [/>>?!|(?:>>|&>>?|>&)\s*[!|]/, 'redirections >! and >>|'],
  [/(?:^|[\s;|&({])(?:(?:g|s|dis_)?aliases|mapfile|functions|commands|options|nameddirs|builtins|modules|reswords)\[/, 'tables of the shell'],
  [/\b(?:precmd|preexec|chpwd|periodic|zshexit|zshaddhistory)_functions\b/, 'hooks of the shell'],
  [/(?:^|[\s;|&({])\(\)\s*\{|(?:^|[\s;|&({])function\s*(?:\(\)\s*)?\{/, 'anonymous function'],
  [/\$\{?\w+\[[^\]]*\([^)]*\)|\$\{\w+:[A-Za-z&]|\$\w+:[a-zA-Z]\b/, 'subscript flags and modifiers'],
  [/[<>]\s*[^\s;|&<>]+\s*<\(|\d*<->|<\d*-\d*>/, 'ranges'],
  [/\$\(<\s*=\(|(?:^|[\s;|&])\[\[\s+[^\]]*\(#/, 'pattern flags'],
];

/** Without quoted here-documents; the patterns take a few milliseconds for it. */
const MAX_LOOKED = 256 * 1024;

/** At the prompt of zsh `#` begins no comment, unless it is told so: what stands behind it is run. */
const TYPED_COMMENT = /(?:^|[\s;|&(])#[^\n]*[;|&`$(<>\n]/;

/** `[[ $x =~ v([0-9]+) ]]` where a command begins: the word behind it is no pattern of file names. */
const MATCHED = /((?:^|(?<!\\)\n|;|(?<![<>])&|(?<!>)\|)\s*(?:(?:if|while|until|elif|then|do|else|!)\s+)*\[\[\s[^\n;|&]*?=~\s*)\S+/g;

/** What only zsh understands in a text, or undefined. Quoted text counts too: in doubt it is not safe. */
export function foreignSyntax(text: string, isTyped: boolean): string | undefined {
  if (isTyped && TYPED_COMMENT.test(text)) return 'a comment, which zsh takes for words where it is typed';
  const kept = unquoted(text);
  const looked = kept.includes('=~') ? kept.replace(MATCHED, '$1') : kept;
  if (looked.length > MAX_LOOKED) return `more than ${MAX_LOOKED} characters to look through`;
  if (/\w=\(/.test(looked) && /\$\{\w+:\s*-?[\d$(]/.test(looked)) return 'a part of an array, ${x:1}';
  const found = FOREIGN.find(([pattern]) => pattern.test(looked));
  return found?.[1];
}
