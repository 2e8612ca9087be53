// What may stand around a script in bash: most of it runs the script, some of it only mentions it.
import type { Random } from './random.ts';
import { doubleQuoted, escaped, quoted } from './spellings.ts';
import type { SpellTools } from './spellings.ts';

type Around = (script: string, tools: SpellTools) => string;

/** A script as one argument. */
function argument(script: string, random: Random): string {
  return random.pick([quoted, quoted, doubleQuoted, (text: string) => escaped(text, random)])(script);
}

/** Here-documents of one script inside another must not end each other. */
function document(script: string, name: string, start: string): string {
  return `${start}'E_${name}'\n${script}\nE_${name}`;
}

/** The shell's own ways. */
const STRUCTURES: readonly [Around, ...Around[]] = [
  (script) => `true; ${script}`,
  (script) => `(\n${script}\n)`,
  (script) => `{ ${script}\n}`,
  (script) => `if true; then\n${script}\nfi`,
  (script) => `if ! true; then :; else\n${script}\nfi`,
  (script) => `if ${script}\nthen :; fi`,
  (script) => `for i in 1; do\n${script}\ndone`,
  (script) => `for ((i = 0; i < 1; i++)); do\n${script}\ndone`,
  (script) => `case a in b) ;; a)\n${script}\n;; esac`,
  (script) => `until\n${script}\ntrue; do :; done`,
  (script, { name }) => `${name}() {\n${script}\n}; ${name}`,
  (script, { name }) => `function ${name} (\n${script}\n)\n${name}`,
  (script, { name }) => `${name}() { ${name}() {\n${script}\n}; ${name}; }; ${name}`,
  (script) => `true && {\n${script}\n}`,
  (script) => `false || {\n${script}\n}`,
  (script) => `! {\n${script}\n}`,
  (script) => `time {\n${script}\n}`,
  (script) => `{\n${script}\n} & wait`,
  (script) => `echo "$(\n${script}\n)"`,
  (script, { name }) => `${name}=$(\n${script}\n)`,
  (script, { name }) => `local_${name}() { local a=$(\n${script}\n); }; local_${name}`,
  (script) => `cat <(\n${script}\n)`,
  (script) => `echo | tee >(\n${script}\n) | cat`,
  (script) => `{\n${script}\n} | cat`,
  (script) => `echo | {\n${script}\n}`,
  (script) => `[[ -z $(\n${script}\n) ]]`,
  (script) => `: $(( 1 + $(\n${script}\necho 1) ))`,
  (script, { name }) => `: \${${name}_unset:-$(\n${script}\n)}`,
  (script, { name }) => `${name}[$(\n${script}\necho 1)]=1`,
  (script, { name }) => document(`$(\n${script}\n)`, name, 'cat <<').replace(`'E_${name}'`, `E_${name}`),
  (script) => `cat <<< "$(\n${script}\n)"`,
  (script, { name }) => `coproc ${name} {\n${script}\n}; wait`,
  (script) => `set -e; ${script}`,
  (script, { name }) => `${name}=1 ; unset ${name}; ${script}`,
];

/** Code that is a string. */
const STRINGS: readonly [Around, ...Around[]] = [
  (script, { random }) => `eval ${argument(script, random)}`,
  (script, { random }) => `builtin eval ${argument(script, random)}`,
  (script, { random }) => `bash -c ${argument(script, random)}`,
  (script, { random }) => `bash ${random.pick(['-ec', '-x -c', '-o pipefail -c', '+e -c', '-c --', '--norc -c'])} ${argument(script, random)} a b`,
  (script, { random }) => `exec bash -c ${argument(script, random)}`,
  (script, { random }) => `command bash -c ${argument(script, random)}`,
  (script, { random }) => `env A=1 bash -c ${argument(script, random)}`,
  (script, { random }) => `env -u B -- bash -c ${argument(script, random)}`,
  (script, { random }) => `timeout -k 1 5 bash -c ${argument(script, random)}`,
  (script, { random }) => `nice -n 1 bash -c ${argument(script, random)}`,
  (script, { random }) => `nohup bash -c ${argument(script, random)}`,
  (script, { random }) => `setsid -w bash -c ${argument(script, random)}`,
  (script, { random }) => `stdbuf -oL bash -c ${argument(script, random)}`,
  (script, { random }) => `xargs bash -c ${argument(script, random)} <<< x`,
  (script, { random }) => `echo a b | xargs -n1 -I{} bash -c ${argument(script, random)}`,
  (script, { random }) => `find . -maxdepth 0 -exec bash -c ${argument(script, random)} {} \\;`,
  (script, { random }) => `find . -maxdepth 0 -exec bash -c ${argument(script, random)} _ {} +`,
  (script, { random }) => `trap ${argument(script, random)} EXIT`,
  (script, { random }) => `trap ${argument(script, random)} ERR; false`,
  (script, { random }) => `trap ${argument(script, random)} DEBUG; :`,
  (script, { random }) => `trap -- ${argument(script, random)} USR1; kill -USR1 $BASHPID`,
  (script, { random, name }) => `alias ${name}=${argument(script, random)}\n${name}`,
  (script, { random }) => `bash <<< ${argument(script, random)}`,
  (script, { random }) => `bash -s a <<< ${argument(script, random)}`,
  (script, { name }) => document(script, name, 'bash <<'),
  (script, { name }) => document(script, name, 'cat <<').replace('\n', ' | bash\n'),
  (script, { name }) => `. /dev/stdin ${document(script, name, '<<')}`,
  (script, { random }) => `source <(echo ${argument(script, random)})`,
  (script, { random }) => `echo ${quoted(script)} | ${random.pick(['bash', 'bash -s', 'cat | bash', 'env bash', 'tee >(cat) | bash'])}`,
  (script, { random }) => `printf '%s\\n' ${argument(script, random)} | bash`,
  (script, { random }) => `eval "$(printf %s ${argument(script, random)})"`,
  (script, { random, name }) => `${name}=${argument(script, random)}; eval "$${name}"`,
  (script, { random, name }) => `${name}=${argument(script, random)}; bash -c "$${name}"`,
  (script, { random, name }) => `${name}=${argument(script, random)} bash -c 'eval "$${name}"'`,
  (script, { random, name }) => `${name}=(${argument(script, random)}); bash -c "\${${name}[@]}"`,
  (script, { random }) => `bash -c 'eval "$1"' _ ${argument(script, random)}`,
  (script, { random }) => `set -- ${argument(script, random)}; eval "$1"`,
  (script, { random, name }) => `${name}() { eval "$1"; }; ${name} ${argument(script, random)}`,
  (script, { random, name }) => `${name}() { eval "$@"; }; ${name} ${argument(script, random)}`,
  (script, { random, name }) => `for ${name} in ${argument(script, random)}; do eval "$${name}"; done`,
  (script, { random, name }) => `while read -r ${name}; do eval "$${name}"; done <<< ${argument(script, random)}`,
  (script, { random, name }) => `mapfile -d '' ${name} <<< ${argument(script, random)}; eval "\${${name}[0]}"`,
  (script, { random, name }) => `${name}=${quoted(`$(${script}\n)`)}; : "\${${name}@P}"; : ${random.below(9)}`,
  (script) => `printf -v ${quoted(`a[$(${script}\n)]`)} x`,
  (script) => `test -v ${quoted(`a[$(${script}\n)]`)}`,
  (script) => `let ${quoted(`a[$(${script}\n)]=1`)}`,
  (script) => `unset ${quoted(`a[$(${script}\n)]`)}`,
  (script) => `PS4=${quoted(`$(${script}\n)`)}; set -x; :`,
  (script) => `awk ${quoted(`BEGIN { system("bash -c ${quoted(script).replace(/["\\]/g, '\\$&').replaceAll('\n', '\\n')}") }`)}`,
  (script) => `flock . -c ${quoted(script)}`,
  (script, { random }) => `mapfile -c 1 -C ${argument(script, random)} lines <<< x`,
  (script, { random, name }) => `shopt -s expand_aliases; alias ${name}='eval '\n${name} ${argument(script, random)}`,
  (script) => `[[ ${quoted(`a[$(${script}\n)]`)} -eq 0 ]]`,
  (script, { name }) => `${name}=${quoted(`a[$(${script}\n)]`)}; : $((${name}))`,
  (script) => `split -l1 --filter=${quoted(script)} <<< x`,
  (script) => `make -s -f - <<< ${quoted(`all:\n\t@bash -c ${quoted(script).replaceAll('$', '$$$$').replaceAll('\n', '; ')}`)}`,
  (script) => `perl -e ${quoted(`system("bash", "-c", q~${script}~)`)}`,
];

/** Most of these run nothing. */
const MENTIONS: readonly [Around, ...Around[]] = [
  (script, { random }) => `echo ${argument(script, random)}`,
  (script, { random }) => `printf '%s\\n' ${argument(script, random)} | cat`,
  (script, { name, random }) => `${name}=${argument(script, random)}; echo "$${name}"`,
  (script, { name }) => document(script, name, 'cat <<'),
  (script) => `cat <<< ${quoted(script)}`,
  (script) => `grep -c ${quoted(script)} <<< x`,
  (script) => `: ${quoted(script)}`,
  (script) => `# ${script.replaceAll('\n', ' ')}\ntrue`,
  (script) => `true '\n${script.replaceAll("'", ' ')}\n'`,
  (script) => `case ${quoted(script)} in x) ;; esac`,
  (script) => `awk ${quoted(`BEGIN { print "${script.replace(/["\\]/g, '').replaceAll('\n', ' ')}" }`)}`,
  (script) => `false && {\n${script}\n}`,
  (script) => `if false; then\n${script}\nfi`,
  (script, { name }) => `${name}() {\n${script}\n}`,
  (script) => `exit 0\n${script}`,
  (script, { random }) => `trap ${argument(script, random)} USR1`,
];

/** Something around a script; `calm` is how often it only mentions it. */
export function surround(script: string, tools: SpellTools, calm: number): string {
  const kinds = tools.random.chance(calm) ? MENTIONS : tools.random.pick([STRUCTURES, STRINGS]);
  return tools.random.pick(kinds)(script, tools);
}
