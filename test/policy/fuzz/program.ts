// Random bash programs that may or may not run a forbidden command: `mkfs.stub` with a device, a program that exists nowhere but in the test's box.
import { surround } from './contexts.ts';
import { Random } from './random.ts';
import { quoted, spell, spellPlainly } from './spellings.ts';
import type { SpellTools } from './spellings.ts';

/** A forbidden program by its name, and a device that no machine has. */
export const STUB = 'mkfs.stub';
export const DEVICE = '/dev/sdzz9';

const MAX_DEPTH = 4;
/** No `>`: a broken redirection must not lead out of the box. */
const NOISE = ['', '', "'", '"', '\\', '$', '(', ')', '{', '}', ';', '|', '&', '<', ' ', '\n', '#', '`', '=', '!', '*', '~', 'a'] as const;

/** The program with this number; always the same one. */
export function makeProgram(number: number): string {
  const random = new Random(number * 7919 + 17);
  let names = 0;
  const tools: Tools = () => ({ random, name: `v${++names}` });
  let script = forbidden(random, tools, isJudgedByName(number));
  if (random.chance(0.08)) script = 'echo hi';
  for (let depth = random.below(MAX_DEPTH); depth > 0; depth--) script = surround(script, tools(), 0.2);
  return random.chance(0.12) ? broken(script, random) : script;
}

/** Every other program is judged by the name of the stub, however unreadable its arguments are; the rest by the table's own rules about devices. */
export function isJudgedByName(number: number): boolean {
  return number % 2 === 1;
}

type Tools = () => SpellTools;

/** The forbidden command itself, in one of the ways to write it. */
function forbidden(random: Random, tools: Tools, isByName: boolean): string {
  const [program, device] = [spell(STUB, tools()), (isByName ? spell : spellPlainly)(DEVICE, tools())];
  const plain = `${program.before}${device.before}${program.word} ${device.word}`;
  const more = `${program.before}${device.before}${random.pick(['command', 'exec', 'env', 'env A=1', 'nice', 'timeout 5', 'nohup', 'command --', 'exec -a x', 'A=1', 'B=2 command', 'stdbuf -o0', 'setsid -w', 'time', '!', '<<< x'])} ${program.word} ${device.word}`;
  const { name } = tools();
  return random.pick([
    plain, plain, plain, plain, more, more, more,
    `${program.before}${device.before}${name}=(${program.word} ${device.word}); "\${${name}[@]}"`,
    `${name}() { ${STUB} "$1"; }; ${name} ${DEVICE}`,
    `alias ${name}=${STUB}\n${name} ${DEVICE}`,
    `IFS=:; ${name}=${STUB}:${DEVICE}; $${name}`,
    `awk 'BEGIN { print "${STUB} ${DEVICE}" | "sh" }'`,
    `set -- ${STUB} ${DEVICE}; "$@"x`,
    `${device.before}echo ${device.word} | xargs ${STUB}`,
    `${program.before}xargs ${program.word} <<< ${DEVICE}`,
    `printf '%s\\n' ${STUB} ${DEVICE} | xargs env`,
    `echo ${DEVICE} | xargs -I@ ${STUB} @`,
    `find . -maxdepth 0 -exec ${STUB} ${DEVICE} {} +`,
    `${program.before}find . -maxdepth 0 -exec ${program.word} ${DEVICE} \\;`,
    `${name}() { "$@"; }; ${name} ${STUB} ${DEVICE}`,
    `${name}() { $1 ${DEVICE}; }; ${name} ${STUB}`,
    `set -- ${STUB} ${DEVICE}; "$@"`,
    `${name}='${STUB} ${DEVICE}'; $${name}`,
    `env -S ${quoted(`${STUB} ${DEVICE}`)}`,
    `for ${name} in ${STUB}; do $${name} ${DEVICE}; done`,
    `for ${name} in a ${DEVICE}; do ${STUB} $${name}; done`,
    `while read -r a b; do "$a" "$b"; done <<< '${STUB} ${DEVICE}'`,
    `{${STUB},${DEVICE}}`,
    `${STUB} /dev/{sdzz9,sdzz8}`,
    `"$BOX/${STUB}" ${DEVICE}`,
    `cd "$BOX" && ./${STUB} ${DEVICE}`,
    `sh -c '"$@"' _ ${STUB} ${DEVICE}`,
    `bash -c '$0 $1' ${STUB} ${DEVICE}`,
    `bash -c '${STUB} "$@"' _ ${DEVICE}`,
    `perl -e 'exec "${STUB}", "${DEVICE}"'`,
    `awk 'BEGIN { system("${STUB} ${DEVICE}") }'`,
    `sed 's/x/${STUB} ${DEVICE.replaceAll('/', '\\/')}/e' <<< x`,
    `sed '1e ${STUB} ${DEVICE}' <<< x`,
    `type ${STUB} ${DEVICE}`,
    `command -v ${STUB}; echo ${DEVICE}`,
  ]);
}

/** A typing mistake or two. */
function broken(script: string, random: Random): string {
  let text = script;
  for (let count = 1 + random.below(2); count > 0; count--) {
    const at = random.below(text.length);
    text = text.slice(0, at) + random.pick([...NOISE]) + text.slice(at + random.below(2));
  }
  return text;
}
