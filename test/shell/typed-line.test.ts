import { expect, test } from 'vitest';
import { typedLine, type TypedLine } from '../../src/shell/typed-line.ts';

const PLAIN: TypedLine = { shell: 'bash', nonce: 'n1', id: 'c_1', previousExitCode: 0, hasEnv: false, listsFunctions: false, stderrTo: undefined };

test.each<[Partial<TypedLine>, string]>([
  [{}, ' { __sk_start n1 c_1 0; } 2>/dev/null; \\builtin eval "$__sk_c"; { __sk_arm; } 2>/dev/null\n'],
  [{ previousExitCode: 7 }, ' { __sk_start n1 c_1 7; } 2>/dev/null || \\builtin eval "$__sk_c"; { __sk_arm; } 2>/dev/null\n'],
  [{ shell: 'zsh', hasEnv: true }, ' { __sk_start n1 c_1 0 e; } 2>/dev/null; \\builtin eval "$__sk_c"; { __sk_arm; } 2>/dev/null\n'],
  [{ stderrTo: "'/d/stderr'" }, ' { __sk_start n1 c_1 0; } 2>/dev/null; \\builtin eval "$__sk_c" 2>\'/d/stderr\'; { __sk_arm; } 2>/dev/null\n'],
  [{ shell: 'fish', previousExitCode: 7 }, ' __sk_start n1 c_1 7;eval $__sk_c\r'],
  [{ shell: 'fish', hasEnv: true, listsFunctions: true, stderrTo: "'/d/stderr'" }, " __sk_start n1 c_1 0 ef;eval $__sk_c 2>'/d/stderr'\r"],
])('the line for %j', (options, line) => {
  expect(typedLine({ ...PLAIN, ...options })).toBe(line);
});

test.each(['bash', 'zsh', 'fish'] as const)('B62: in %s the longest line is far below what a terminal in canonical mode takes', (shell) => {
  const line = typedLine({ ...PLAIN, shell, nonce: 'n'.repeat(40), id: `c_${'x'.repeat(12)}`, previousExitCode: 255, hasEnv: true, listsFunctions: true, stderrTo: `'/${'d'.repeat(200)}/stderr'` });
  expect(Buffer.byteLength(line)).toBeLessThan(1_024);
  expect(line.startsWith(' '), 'a line that begins with a blank stays out of most histories').toBe(true);
});
