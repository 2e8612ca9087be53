// The hook in the text of Claude Code's settings: put in, found again, taken out, with everything else as it was.
import { expect, test } from 'vitest';
import { hookGroup, withHook, withoutHook } from '../../src/install/hook-settings.ts';

const GROUP = hookGroup('/opt/shellkeep/cli.js hook');
const OTHER = { matcher: 'Bash', hooks: [{ type: 'command', command: 'node other/cli.js hook' }, { type: 'prompt', prompt: 'is it good?' }] };

function json(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}

test.each<[string, string, unknown]>([
  ['no settings', '', { hooks: { PreToolUse: [GROUP] } }],
  ['empty ones', '{}\n', { hooks: { PreToolUse: [GROUP] } }],
  ['others', json({ model: 'x', hooks: { Stop: [OTHER], PreToolUse: [OTHER] }, env: {} }), { model: 'x', hooks: { Stop: [OTHER], PreToolUse: [OTHER, GROUP] }, env: {} }],
  ['an older entry', json({ hooks: { PreToolUse: [hookGroup('node /old/shellkeep/dist/cli.js hook'), OTHER] } }), { hooks: { PreToolUse: [OTHER, GROUP] } }],
  ['an older entry in another group', json({ hooks: { PreToolUse: [{ ...OTHER, hooks: [{ type: 'command', command: "'/a b/shellkeep' hook" }, ...OTHER.hooks] }] } }), { hooks: { PreToolUse: [OTHER, GROUP] } }],
  ['the same entry twice', json({ hooks: { PreToolUse: [GROUP, GROUP] } }), { hooks: { PreToolUse: [GROUP] } }],
])('it is added to %s, and a second time changes nothing', (_, before, settings) => {
  const after = withHook(before, GROUP, 'F');
  expect(after).toBe(json(settings));
  expect(withHook(after, GROUP, 'F')).toBe(after);
});

test.each([
  json({ hooks: { PreToolUse: [OTHER] } }),
  json({ a: 1, hooks: { Stop: [OTHER] } }),
  '{\r\n\t"a": 1,\r\n\t"hooks": {\r\n\t\t"Stop": []\r\n\t}\r\n}\r\n',
  '\uFEFF{\n    "a": [1, 2],   // mine\n    "hooks": {}\n}',
])('what was put into %j is taken out, and all is as it was, character by character', (before) => {
  const after = withHook(before, GROUP, 'F');
  expect(after).not.toBe(before);
  expect(withoutHook(after, GROUP, 'F')).toBe(before);
  expect(withoutHook(before, GROUP, 'F')).toBe(before);
});

test.each([
  ['{ "a": }', 'F:1:8: value expected; nothing was changed'],
  ['[]', 'F is no object'],
  ['{"hooks":[]}', 'F: "hooks" is no object'],
  ['{"hooks":{"PreToolUse":{}}}', 'F: "PreToolUse" is no list'],
])('%s is left alone, and the file is named', (text, fault) => {
  expect(() => withHook(text, GROUP, 'F')).toThrow(fault);
});
