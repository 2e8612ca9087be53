// The table of cases, rule by rule and command by command, and what wrapping a command must not change.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { classify } from '../../src/policy/classify.ts';
import type { ClassifyContext } from '../../src/policy/classify.ts';
import { RULES } from '../../src/policy/rules.ts';
import type { CommandClass } from '../../src/policy/verdict.ts';
import { CASES, CONTEXT, ORDER } from './support.ts';

const classOf = (text: string, more: Partial<ClassifyContext> = {}): CommandClass => classify(text, { ...CONTEXT, ...more }).class;

test.each(CASES)('$shell: $command is $class', ({ shell, command, class: expected }) => {
  const verdict = classify(command, { ...CONTEXT, shell });
  expect(verdict.class, JSON.stringify(verdict.rules)).toBe(expected);
  expect(verdict.rules.length > 0).toBe(expected !== 'safe');
});

test('every rule has an id of its own, a reason of one line, and at least five examples of both kinds (R132)', () => {
  expect(new Set(RULES.map(({ id }) => id)).size).toBe(RULES.length);
  for (const { id, reason, examples, notExamples } of RULES) {
    expect(reason, id).not.toContain('\n');
    if (id === 'remembered-code' || id === 'find-delete-strict') continue; // they need a context, and have tests of their own
    expect(examples.length, id).toBeGreaterThanOrEqual(5);
    expect(notExamples.length, id).toBeGreaterThanOrEqual(5);
  }
});

test.each(RULES.flatMap(({ id, examples }) => examples.map((command) => ({ id, command }))))('rule $id matches $command', ({ id, command }) => {
  expect(classify(command, CONTEXT).rules.map(({ rule }) => rule)).toContain(id);
});

test.each(RULES.flatMap(({ id, notExamples }) => notExamples.map((command) => ({ id, command }))))('what looks like $id is safe: $command', ({ command }) => {
  const { class: found, rules } = classify(command, CONTEXT);
  expect(found, JSON.stringify(rules)).toBe('safe');
});

test('each rule of class reject still is one: the hard list is never weakened (R132)', () => {
  const hard = ['privileged-rm', 'delete-protected', 'move-protected', 'find-delete-protected', 'delete-found', 'shred-system', 'permissions-protected', 'rsync-delete-protected', 'write-device', 'write-sysrq', 'write-own', 'fork-bomb', 'kill-all', 'network-code'];
  for (const id of hard) expect(RULES.find((rule) => rule.id === id)?.class, id).toBe('reject');
  expect(readFileSync(new URL('../../docs/policy.md', import.meta.url), 'utf8')).toMatch(/## History[^]*\d{4}-\d\d-\d\d/);
});

test('the matches tell what they are about, and why', () => {
  const { class: found, rules } = classify('ls && sudo ls; rm -rf "/"', CONTEXT);
  expect(found).toBe('reject');
  expect(rules[0]).toEqual({ rule: 'delete-protected', matched: 'rm -rf "/"', reason: expect.stringContaining('allowed roots') });
  expect(rules.map(({ rule }) => rule)).toContain('privileges');
});

/** What may stand around a command without making it better. */
const WRAPPERS: readonly ((command: string) => string)[] = [
  (command) => `true; ${command}`,
  (command) => `false || {\n${command}\n}`,
  (command) => `(\n${command}\n)`,
  (command) => `if true; then\n${command}\nfi`,
  (command) => `while true; do\n${command}\nbreak; done`,
  (command) => `for i in 1 2; do\n${command}\ndone`,
  (command) => `case x in *)\n${command}\n;; esac`,
  (command) => `f() {\n${command}\n}; f`,
  (command) => `echo "$(\n${command}\n)"`,
  (command) => `x=$(\n${command}\n)`,
  (command) => `cat <(\n${command}\n)`,
  (command) => `cat <<OUTER\n$(\n${command}\n)\nOUTER`,
  (command) => `[[ -n $(\n${command}\n) ]]`,
  (command) => `{\n${command}\n} 2>&1 | cat`,
  (command) => `{\n${command}\n} &`,
  (command) => `echo \${x:-$(\n${command}\n)}`,
  (command) => `bash -c ${quoted(command)}`,
  (command) => `eval ${quoted(command)}`,
  (command) => `env A=1 sh -c ${quoted(command)}`,
  (command) => `timeout 5 bash -c ${quoted(command)}`,
  (command) => `trap ${quoted(command)} EXIT`,
  (command) => `nohup nice -n 5 bash -lc ${quoted(command)} &`,
  (command) => `bash <<'OUTER'\n${command}\nOUTER`,
  (command) => `bash <<< ${quoted(command)}`,
  (command) => `xargs -n1 bash -c ${quoted(command)} < f`,
  (command) => `until false; do\n${command}\nbreak; done`,
  (command) => `echo y | {\n${command}\n}`,
  (command) => `! {\n${command}\n}`,
  (command) => `time {\n${command}\n}`,
  (command) => `a=(1 "$(\n${command}\n)")`,
  (command) => `export x="$(\n${command}\n)"`,
  (command) => `echo $((1 + $(\n${command}\n)))`,
  (command) => `c=${quoted(command)}; eval "$c"`,
  (command) => `find . -maxdepth 0 -exec sh -c ${quoted(command)} \\;`,
  (command) => `$SHELL -c ${quoted(command)}`,
  (command) => `printf %s ${quoted(command)} | bash`,
];
const QUIET = WRAPPERS.length;

function quoted(command: string): string {
  return `'${command.replaceAll("'", "'\\''")}'`;
}

/** Complete scripts, so that what stands around them is read as it was meant. */
const isWhole = (command: string): boolean => !/\0|[\x00-\x08\x0B-\x1F]|OUTER/.test(command);

test(`what is not safe is never weaker in any of ${QUIET} wrappers`, () => {
  let count = 0;
  const weaker: string[] = [];
  for (const { command, class: own } of CASES.filter((one) => one.shell === 'bash' && one.class !== 'safe' && isWhole(one.command))) {
    // a text that is no whole script becomes another one, or no script, when more stands around it
    if (classify(command, CONTEXT).rules.some(({ rule }) => rule === 'unreadable' || rule === 'history-expansion')) continue;
    for (const wrap of WRAPPERS) {
      const wrapped = wrap(command);
      if (ORDER.indexOf(classOf(wrapped)) < ORDER.indexOf(own)) weaker.push(wrapped);
      count++;
    }
  }
  expect(weaker).toEqual([]);
  expect(count).toBeGreaterThan(4000);
}, 60_000); // thousands of texts are read

const SPELLINGS = JSON.parse(readFileSync(new URL('spellings.json', import.meta.url), 'utf8')) as Readonly<Record<CommandClass, readonly string[]>>;

test.each(ORDER)('spellings of what is %s, and commands of a day, have that class', (expected) => {
  const wrong = SPELLINGS[expected].filter((command) => classOf(command) !== expected);
  expect(wrong).toEqual([]);
  expect(SPELLINGS[expected].length).toBeGreaterThan(60);
});

test('what is safe stays safe in harmless wrappers', () => {
  let count = 0;
  for (const { command } of CASES.filter((one) => one.shell === 'bash' && one.class === 'safe')) {
    for (const wrap of [...WRAPPERS.slice(0, 20), ...WRAPPERS.slice(25, 31)]) {
      const wrapped = wrap(command);
      const { class: found, rules } = classify(wrapped, CONTEXT);
      expect(found, `${wrapped}\n${JSON.stringify(rules)}`).toBe('safe');
      count++;
    }
  }
  expect(count).toBeGreaterThan(3000);
});
