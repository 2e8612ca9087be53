// `shellkeep install service`: what systemd and launchd get is what they understand, and nothing of anybody else is overwritten.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { launchdPlist } from '../../src/install/launchd-plist.ts';
import { systemdUnit } from '../../src/install/systemd-unit.ts';
import { findProgram } from '../support/shells.ts';
import { newHome, runProgram } from './program.ts';

const UNIT = '.config/systemd/user/shellkeep.service';
const ODD = ['/opt/my node/bin/node', '/srv/it\'s "100%" $HOME/cli.js', 'serve', '--allowed-roots', '/a b:/c\\d', '--redact', ''];

describe.runIf(process.platform === 'linux')('a systemd user unit', () => {
  const analyze = findProgram('systemd-analyze');

  test.skipIf(analyze === undefined)(`is one that systemd takes${analyze === undefined ? ' (no systemd-analyze)' : ''}`, async () => {
    const home = newHome();
    expect((await runProgram(['install', 'service', '--', '--profile', 'strict'], { home })).stdout).toContain('systemctl --user enable --now shellkeep.service');
    const { stderr, status } = spawnSync(analyze ?? '', ['verify', '--user', path.join(home.dir, UNIT)], { env: home.environment(), encoding: 'utf8' });
    expect([status, stderr]).toEqual([0, '']);
  });

  test('starts the program with the settings that were given, also when it is run as it stands', async () => {
    const home = newHome();
    await runProgram(['install', 'service', '--', '--profile', 'strict'], { home });
    const [, line = ''] = /^ExecStart=(.*)$/m.exec(readFileSync(path.join(home.dir, UNIT), 'utf8')) ?? [];
    expect(line).toMatch(/ serve --profile strict$/);
    const [program = '', ...args] = line.replace(/ serve .*/, ' --version').split(' ');
    expect(execFileSync(program, args, { encoding: 'utf8' })).toMatch(/^shellkeep /);
  });

  test('has odd paths and settings as systemd reads them back', () => {
    const [, line = ''] = /^ExecStart=(.*)$/m.exec(systemdUnit({ command: ODD, path: '/x y:/z' })) ?? [];
    expect(wordsOf(line)).toEqual(ODD);
    expect(systemdUnit({ command: ODD, path: '/x y:/z' })).toContain('Environment="PATH=/x y:/z"\n');
  });

  test('is written once, shown before if that is asked for, and taken away again', async () => {
    const home = newHome();
    const install = (...words: string[]): ReturnType<typeof runProgram> => runProgram(['install', 'service', ...words], { home });
    expect((await install('--dry-run')).stdout).toContain('+ ExecStart=');
    expect(existsSync(path.join(home.dir, UNIT))).toBe(false);
    await install();
    expect((await install()).stdout).toContain('already there');
    expect(statSync(path.join(home.dir, UNIT)).mode & 0o777).toBe(0o644);
    expect((await runProgram(['uninstall', 'service'], { home })).stdout).toContain('disable --now');
    expect((await runProgram(['uninstall', 'service'], { home })).stdout).toContain('not there');
  });

  test('of somebody else stays, unless --force is given', async () => {
    const home = newHome();
    home.write(UNIT, '[Service]\nExecStart=/bin/true\n');
    for (const action of ['install', 'uninstall']) expect(await runProgram([action, 'service'], { home })).toMatchObject({ end: 2, stderr: expect.stringContaining('--force') as string });
    expect((await runProgram(['install', 'service', '--force'], { home })).end).toBe(0);
  });
});

test('a launch agent is a property list with the same words', () => {
  const text = launchdPlist({ command: ODD, path: '/x & <y>', logPath: '/Users/u/Library/Logs/shellkeep.log' });
  const program = 'import plistlib, sys, json; print(json.dumps(plistlib.loads(sys.stdin.buffer.read())))';
  const value = JSON.parse(execFileSync('python3', ['-c', program], { input: text, encoding: 'utf8' })) as Record<string, unknown>;
  expect(value).toMatchObject({ ProgramArguments: ODD, EnvironmentVariables: { PATH: '/x & <y>' }, RunAtLoad: true, KeepAlive: { SuccessfulExit: false } });
});

/** A command line as systemd takes it apart: systemd.syntax(7) and systemd.service(5), as far as it is used. */
function wordsOf(line: string): string[] {
  return [...line.matchAll(/"((?:[^"\\]|\\.)*)"|(\S+)/g)].map(([, quoted, plain]) => (quoted ?? plain ?? '').replaceAll('%%', '%').replaceAll('$$', '$').replaceAll(/\\(.)/g, '$1'));
}
