import { describe, expect, test } from 'vitest';
import { exportsOf, namesIn, parseReport, type ShellReport } from '../../src/shell/report.ts';
import type { SessionShellName } from '../../src/shell/shell.ts';

const SHELLS = ['bash', 'zsh', 'fish'] as const;

/** What each integration script writes for the same state. */
const WRITTEN: Readonly<Record<SessionShellName, readonly string[]>> = {
  bash: [
    'c_1', '7', 'himBHs', 'braceexpand:monitor', 'expand_aliases:nullglob', '0027\n/srv/a b\n',
    "alias ll='ls -l'\nalias -- -='cd -'\nalias two='a\n b'\n", 'declare -f f\ndeclare -fx g-h\n', 'declare -x A="1"\ndeclare -x B="x\ny"\n', '[1]+  1001 Running  sleep 1 &\n', 'c_1',
  ],
  zsh: ['c_1', '7', '569JNRXgims', 'monitor nullglob', '/srv/a b\n', '027\n', 'll\n-\ntwo', 'f\ng-h', '[1]  + 1001 running    sleep 1\n', 'A=1', 'B=x\ny', 'c_1'],
  fish: ['c_1', '7', '/srv/a b', 'f\ng-h\n', '1\t1001\t0%\trunning\tsleep 1 &\n', 'A=1', 'B=x\ny', 'c_1'],
};

function textOf(fields: readonly string[]): string {
  return fields.map((field) => `${field}\0`).join('');
}

function changed(shell: SessionShellName, index: number, field: string): ShellReport | undefined {
  return parseReport(shell, 'c_1', textOf(WRITTEN[shell].with(index, field)));
}

describe.each(SHELLS)('%s', (shell) => {
  const text = textOf(WRITTEN[shell]);

  test('a whole report is read', () => {
    const report = parseReport(shell, 'c_1', text);
    expect(report).toMatchObject({ id: 'c_1', exitCode: 7, cwd: '/srv/a b', jobs: expect.stringContaining('1001') });
    expect(namesIn(shell, 'functions', report?.functions ?? '')).toEqual(['f', 'g-h']);
    expect([...exportsOf(shell, report?.exports ?? '')]).toEqual([['A', '1'], ['B', 'x\ny']]);
  });

  test('a report that is cut anywhere, as by a full disk, is none', () => {
    for (let cut = 0; cut < text.length; cut++) expect(parseReport(shell, 'c_1', text.slice(0, cut)), `cut at ${cut}`).toBeUndefined();
  });

  test('over whatever was written before, a report is read up to its end', () => {
    const earlier = textOf(['c_0', 'x'.repeat(2 * text.length), 'c_0']);
    for (let cut = 0; cut < text.length; cut++) expect(parseReport(shell, 'c_1', text.slice(0, cut) + earlier.slice(cut)), `cut at ${cut}`).toBeUndefined();
    expect(parseReport(shell, 'c_1', text + earlier.slice(text.length))).toEqual(parseReport(shell, 'c_1', text));
  });

  test('a report about another command is none', () => {
    expect(parseReport(shell, 'c_2', text)).toBeUndefined();
  });

  test.each(['', 'x', '1.5', 'NaN'])('the exit code %j is none', (code) => {
    const report = changed(shell, 1, code);
    expect(report).toBeUndefined();
  });

  test.each(['/', '/a\nb', '/ends in a newline\n', '/é 你', "/it's", '/\x1b[31m'])('the directory %j is what it is', (cwd) => {
    const index = { bash: 5, zsh: 4, fish: 2 }[shell];
    const field = { bash: `0022\n${cwd}\n`, zsh: `${cwd}\n`, fish: cwd }[shell];
    expect(changed(shell, index, field)?.cwd).toBe(cwd);
  });

  test('without any exported variable, alias, function or job', () => {
    const bare = { bash: ['c_1', '0', '', '', '', '\n/\n', '', '', '', '', 'c_1'], zsh: ['c_1', '0', '', '', '/\n', '', '', '', '', 'c_1'], fish: ['c_1', '0', '/', '', '', 'c_1'] }[shell];
    const report = parseReport(shell, 'c_1', textOf(bare));
    expect(report).toMatchObject({ id: 'c_1', exitCode: 0, cwd: '/', umask: '', jobs: '' });
    for (const kind of ['options', 'aliases', 'functions'] as const) expect(namesIn(shell, kind, report?.[kind] ?? ''), kind).toEqual([]);
    expect(exportsOf(shell, report?.exports ?? '').size).toBe(0);
  });
});

test.each<[SessionShellName, Partial<ShellReport>, readonly string[], readonly string[]]>([
  ['bash', { flags: 'himBHs', umask: '0027' }, ['braceexpand', 'monitor', 'expand_aliases', 'nullglob'], ['ll', '-', 'two']],
  ['zsh', { flags: '569JNRXgims', umask: '027' }, ['monitor', 'nullglob'], ['ll', '-', 'two']],
  ['fish', { flags: '', umask: '' }, [], []],
])('%s tells its umask, options and aliases', (shell, facts, options, aliases) => {
  const report = parseReport(shell, 'c_1', textOf(WRITTEN[shell]));
  expect(report).toMatchObject(facts);
  expect(namesIn(shell, 'options', report?.options ?? '')).toEqual(options);
  expect(namesIn(shell, 'aliases', report?.aliases ?? '')).toEqual(aliases);
});

test('fish tells its functions and exported variables not each time, which is slow', () => {
  expect(changed('fish', 3, '')?.functions).toBeUndefined();
  expect(parseReport('fish', 'c_1', textOf([...WRITTEN.fish.slice(0, 5), 'c_1']))).toMatchObject({ functions: 'f\ng-h\n', exports: undefined });
});
