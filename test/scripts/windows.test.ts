// The PowerShell scripts cannot be run here: what can be seen of them without Windows is right.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../support/paths.ts';

const FOLDER = path.join(ROOT, 'scripts/windows');
const SCRIPTS = readdirSync(FOLDER).filter((name) => name.endsWith('.ps1'));
const README = readFileSync(path.join(FOLDER, 'README.md'), 'utf8');

function textOf(name: string): string {
  return readFileSync(path.join(FOLDER, name), 'utf8');
}

/** Without comments and strings; an unclosed one leaves its quote. */
function bare(text: string): string {
  return text.replace(/<#[^]*?#>|'(?:''|[^'])*'|"(?:`[^]|""|[^"`])*"|#[^\n]*/g, ' ');
}

function parametersOf(name: string): string[] {
  const [, block = ''] = /\nparam\(([^]*?)\n\)\n/.exec(textOf(name).replaceAll('\r\n', '\n')) ?? [];
  return [...block.matchAll(/^ {4}(?:\[[^\n]*\] )?\$(\w+)/gm)].map(([, parameter = '']) => parameter);
}

test('there are scripts that register, unregister and update (R209, R210)', () => {
  expect(SCRIPTS.sort()).toEqual(['Register-ShellkeepTask.ps1', 'Unregister-ShellkeepTask.ps1', 'Update-ShellkeepAddress.ps1']);
});

test.each(SCRIPTS)('%s is plain ASCII with the line ends of Windows: PowerShell 5 reads all else in the code page of the day', (name) => {
  const text = textOf(name);
  expect(text).toMatch(/^[\t\r\n -~]*$/);
  expect(text.split('\n').slice(0, -1).filter((line) => !line.endsWith('\r'))).toEqual([]);
  expect(text.endsWith('}\r\n') || text.endsWith('exit $LASTEXITCODE\r\n')).toBe(true);
});

test.each(SCRIPTS)('in %s all quotes, brackets and comments are closed', (name) => {
  const shape = bare(textOf(name));
  expect(shape).not.toMatch(/['"]|<#|#>/);
  let rest = shape.replace(/[^()[\]{}]/g, '');
  for (let length = -1; length !== rest.length; ) {
    length = rest.length;
    rest = rest.replaceAll(/\(\)|\[\]|\{\}/g, '');
  }
  expect(rest).toBe('');
});

test.each(SCRIPTS)('%s changes nothing with -WhatIf, stops at the first error, and is explained with each of its parameters', (name) => {
  const text = textOf(name);
  for (const part of ['[CmdletBinding(SupportsShouldProcess)]', "$ErrorActionPreference = 'Stop'", '.SYNOPSIS', '.EXAMPLE']) expect(text).toContain(part);
  expect(text).toMatch(/\$WhatIfPreference|\$PSCmdlet\.ShouldProcess\(/);
  expect(README).toContain(name);
  const parameters = parametersOf(name);
  expect(parameters.length).toBeGreaterThan(0);
  for (const parameter of parameters) expect(README).toContain(`\`-${parameter}\``);
});

test('the tables of the explanation name no parameter that no script has', () => {
  const known = SCRIPTS.flatMap(parametersOf);
  const named = [...README.matchAll(/^\| `-(\w+)` \|/gm)].map(([, name = '']) => name);
  expect(named.filter((name) => name !== 'WhatIf' && !known.includes(name))).toEqual([]);
});

test.each(SCRIPTS)('%s uses files that are there', (name) => {
  for (const [, file = ''] of textOf(name).matchAll(/\$PSScriptRoot\\([\w.-]+)/g)) expect(existsSync(path.join(FOLDER, file)), file).toBe(true);
});

test('the task has ordinary rights, no window, no time limit, and is looked after (R210)', () => {
  const text = textOf('Register-ShellkeepTask.ps1');
  for (const part of ['-AtLogOn', '-RunLevel Limited', '--headless wsl.exe -d $Distribution', '-ExecutionTimeLimit ([TimeSpan]::Zero)', '-RestartCount', '-MultipleInstances IgnoreNew', '-RepetitionInterval']) expect(text).toContain(part);
  expect(text).not.toContain('Highest');
});
