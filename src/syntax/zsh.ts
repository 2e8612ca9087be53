// Syntax that only zsh has. The parser reads bash: a script that uses any of this is never safe.

const FOREIGN: readonly (readonly [RegExp, string])[] = [
  [/(?:^|[\s;|&(){}])=\(/, 'process substitution =(…)'],
  [/\$\{\([^)]*\)/, 'parameter flags ${(…)…}'],
  [/\$\{[=^~]|\$[=^~][A-Za-z_]/, 'parameter modifiers ${=x}'],
  [/[^\s|&;=$(<>]\((?:e[:{[|'"]|\+\w|[^()\n]*[/.@=*%rwxRWXstUGFNDnM^-][^()\n]*\))/, 'glob qualifiers'],
  [/(?:^|[\n;|&(){}]|\b(?:do|then|else|command|sudo))\s*=[A-Za-z]/, 'command path =name'],
  [/(?:^|[\s;|&({])repeat\s/, 'repeat'],
  [/(?:^|[\s;|&({])(?:for|foreach)\s+\w+(?:\s+\w+)*\s*\(/, 'short for'],
  [/(?:^|[\s;|&({])(?:if|while|until)\s*(?:\[\[[^\n]*?\]\]|\([^\n]*?\))\s*\{/, 'short if or while'],
  [/\}\s*always\s*\{/, 'always'],
  [/(?:^|[\s;|&({])alias\s+(?:-\w*\s+)*-\w*[gs]/, 'global or suffix alias'],
  [/(?:^|[\s;|&({])(?:noglob|nocorrect|-)\s+\S/, 'precommand modifier'],
  [/(?:^|[\s;|&({])(?:zmodload|zstyle|zle|zformat|zparseopts|autoload|bindkey|vared|compdef|emulate|sched|ztcp|zsystem|add-zsh-hook|zcompile|disable|enable|functions|preexec|precmd|chpwd|periodic|zshexit)\b/, 'builtins of zsh'],
  [/(?:^|[\n;|&({]\s*)\$(?:\w+|\{\w+\})(?:\s|$|;)/, 'an array as a command'],
  [/(?:^|[\s;|&({])\(\)\s*\{|(?:^|[\s;|&({])function\s*(?:\(\)\s*)?\{/, 'anonymous function'],
  [/\$\{?\w+\[[^\]]*\([^)]*\)|\$\{\w+:[A-Za-z&]|\$\w+:[a-zA-Z]\b/, 'subscript flags and modifiers'],
  [/[<>]\s*[^\s;|&<>]+\s*<\(|\d*<->|<\d*-\d*>/, 'ranges'],
  [/\$\(<\s*=\(|(?:^|[\s;|&])\[\[\s+[^\]]*\(#/, 'pattern flags'],
];

/** What only zsh understands in a text, or undefined. Quoted text counts too: in doubt it is not safe. */
export function foreignSyntax(text: string): string | undefined {
  const looked = text.replace(/'[^']*'/g, "''").replace(/(^|\s)#[^\n]*/g, '$1').replace(/"[^"$`\\]*"/g, '""').slice(0, 64 * 1024);
  const found = FOREIGN.find(([pattern]) => pattern.test(looked));
  return found?.[1];
}
