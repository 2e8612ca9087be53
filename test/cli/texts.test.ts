import { parse } from 'smol-toml';
import { expect, test } from 'vitest';
import { configText } from '../../src/cli/config.ts';
import { helpText } from '../../src/cli/help.ts';
import { flagOf, loadSettings } from '../../src/config/load.ts';
import { SETTING_KEYS, TABLES } from '../../src/config/schema.ts';

const NOWHERE = { flags: {}, env: {}, configPath: undefined, home: '/home/u', startDirectory: '/home/u/app' };

test('help names every setting with what is allowed and its default, and fits a terminal', () => {
  const text = helpText();
  for (const key of SETTING_KEYS) expect(text).toContain(`  ${TABLES[key] !== undefined ? `[[${key}]]` : flagOf(key)} `);
  for (const part of ['[1 to 10000] (64)', '[flag|token|ask] (flag)', 'shells (false)']) expect(text).toContain(part);
  expect(text.split('\n').filter((line) => line.length > 120)).toEqual([]);
});

test('the effective settings are a configuration file that says where each value is from', async () => {
  const { settings, origins } = await loadSettings({ ...NOWHERE, flags: { max_tasks: '5' }, env: { SHELLKEEP_LOGIN: 'true' } });
  const text = configText(settings, origins);
  expect(text).toMatch(/^max_tasks = 5 +# --max-tasks$/m);
  expect(text).toMatch(/^login = true +# SHELLKEEP_LOGIN$/m);
  expect(text).toMatch(/^allowed_roots = \["\/home\/u",.*\] +# default$/m);
  expect(text).toMatch(/^# shell is not set \(default\)$/m);
  expect(parse(text)).toMatchObject({ max_tasks: 5, login: true, results: 'structured' });
});
