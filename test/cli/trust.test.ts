// Trust in a project file, given and taken back with the built program, and seen by a server that is running.
import { chmodSync, existsSync, mkdirSync, readdirSync, realpathSync, rmSync, statSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { Home } from '../support/home.ts';
import { withServer } from '../support/harness.ts';
import { newHome, runProgram } from './program.ts';

const EXTEND = 'allowed_roots = ["../outside", "."]\n';

/** A home with a project beside it, in no root but the home itself is one. */
function place(text = EXTEND): { home: Home; file: string; outside: string; list: string } {
  const home = newHome();
  const root = realpathSync(home.root);
  const outside = path.join(root, 'outside');
  mkdirSync(outside);
  mkdirSync(path.join(root, 'proj'));
  const file = path.join(root, 'proj', '.shellkeep.toml');
  writeFileSync(file, text);
  return { home, file, outside, list: path.join(home.dir, '.config/shellkeep/trusted.json') };
}

test('what is trusted is the real path and the content; it is said, listed, kept for this user alone, and taken back', async () => {
  const { home, file, outside, list } = place();
  symlinkSync(path.dirname(file), path.join(home.dir, 'link'));
  const { stdout, stderr, end } = await runProgram(['trust', 'link/.shellkeep.toml'], { home });
  const sha256 = /^sha256 ([0-9a-f]{64});/m.exec(stdout)?.[1] ?? '';
  expect([stdout, stderr, end]).toEqual([`trusted ${file}\nsha256 ${sha256}; another content is not trusted\nthese roots are allowed from its directory, beside those of the settings:\n  ${outside}\n  ${path.dirname(file)}\n`, '', 0]);
  expect(await runProgram(['trust'], { home })).toEqual({ stdout: `${sha256}  ${file}\n`, stderr: '', end: 0 });
  expect((statSync(list).mode & 0o777).toString(8)).toBe('600');
  expect(readdirSync(path.dirname(list))).toEqual(['trusted.json']);
  writeFileSync(file, `${EXTEND}# more\n`);
  expect((await runProgram(['trust'], { home })).stdout).toBe(`${sha256}  ${file}  (has changed: no longer trusted)\n`);
  unlinkSync(file); // what is gone can still be forgotten
  expect((await runProgram(['trust'], { home })).stdout).toBe(`${sha256}  ${file}  (does not exist)\n`);
  expect(await runProgram(['untrust', file], { home })).toEqual({ stdout: `no longer trusted: ${file}\n`, stderr: '', end: 0 });
  expect((await runProgram(['trust'], { home })).stdout).toBe('no project file is trusted; shellkeep trust FILE trusts one\n');
  expect(await runProgram(['untrust', file], { home })).toMatchObject({ stderr: `shellkeep: ${file} was not trusted; shellkeep trust lists the files that are\n`, end: 2 });
});

test('a running server follows: the roots come with the trust and go with a change of the file', async () => {
  const { home, file, outside } = place();
  const proj = path.dirname(file);
  await withServer({ home, args: ['--allowed-roots', home.dir] }, async (server) => {
    const pwd = (cwd: string) => server.callTool('run', { command: 'pwd', cwd });
    expect((await pwd(proj)).facts.error).toMatchObject({ code: 'INVALID_CWD', hint: expect.not.stringContaining('.shellkeep.toml') });
    await runProgram(['trust', file], { home });
    expect((await pwd(proj)).facts).toMatchObject({ stdout: `${proj}\n`, cwd: proj });
    const session = await server.facts('session_create', { cwd: proj, shell: 'bash' });
    expect(await server.facts('session_run', { session_id: session.session_id, command: `cd ${outside}` })).not.toHaveProperty('warnings');
    writeFileSync(file, `${EXTEND}# "/"\n`);
    expect((await pwd(proj)).facts.error).toMatchObject({ code: 'INVALID_CWD', hint: expect.stringContaining('has changed since it was trusted') });
    await server.facts('session_run', { session_id: session.session_id, command: `cd ${proj}` });
    const { warnings } = await server.facts('session_run', { session_id: session.session_id, command: `cd ${outside}` });
    expect(warnings).toContainEqual(expect.stringContaining(`the session is in "${outside}", outside the allowed roots`));
  });
});

test('T17: what an agent runs can neither trust nor take trust back', async () => {
  const { home, file, list } = place();
  await withServer({ home }, async (server) => {
    const program = `'${process.execPath}' '${path.resolve('dist/cli.js')}'`;
    for (const command of [`${program} trust '${file}'`, `${program} untrust '${file}'`]) {
      expect(await server.facts('run', { command, dangerous: true })).toMatchObject({ exit_code: 2, stderr: expect.stringContaining('for a person in a terminal of their own') });
    }
  });
  expect(existsSync(list)).toBe(false);
});

test.each([
  ['is malformed', 'allowed_roots = = 1', 'FILE:1:17: '],
  ['names no roots', 'mode = "extend"', 'FILE: allowed_roots is missing: a list of paths'],
])('a file that %s is not trusted, and the message says where', async (_, text, message) => {
  const { home, file, list } = place(text);
  const { stderr, end } = await runProgram(['trust', file], { home });
  expect([stderr.startsWith(`shellkeep: ${message.replace('FILE', file)}`), end, existsSync(list)], stderr).toEqual([true, 2, false]);
});

test('neither are a link, what is not there, another name, and more than one file', async () => {
  const { home, file } = place();
  const link = path.join(home.dir, '.shellkeep.toml');
  symlinkSync(file, link);
  const other = home.write('project.toml', EXTEND);
  const real = realpathSync(home.dir);
  for (const [words, message] of [
    [[link], `${real}/.shellkeep.toml is a symbolic link, not a regular file`],
    [['nowhere/.bash-mcp.toml'], `${real}/nowhere/.bash-mcp.toml does not exist`],
    [[other], `${real}/project.toml: a project file is named .shellkeep.toml or .bash-mcp.toml; no other is read`],
    [[file, file], 'trust takes one file: shellkeep trust FILE'],
    [[''], 'trust takes one file: shellkeep trust FILE'],
  ] as const) {
    expect(await runProgram(['trust', ...words], { home })).toEqual({ stdout: '', stderr: `shellkeep: ${message}\n`, end: 2 });
  }
});

test.each(['', '{', '[]', 'null', '{"version":2,"files":{}}', '{"version":1,"files":null}'])('a damaged list (%j) trusts nothing, is named on the command line, and is not overwritten', async (text) => {
  const { home, file, outside, list } = place();
  await runProgram(['trust', file], { home });
  writeFileSync(list, text);
  const { stderr, end } = await runProgram(['trust', file], { home });
  expect([stderr, end]).toEqual([expect.stringContaining(`${list} `), 2]);
  await withServer({ home, args: ['--allowed-roots', home.dir] }, async (server) => {
    expect((await server.callTool('run', { command: 'pwd', cwd: outside })).facts.error?.code).toBe('INVALID_CWD');
  });
  rmSync(list);
});

test('a list that others may write trusts nothing', async () => {
  const { home, file, list } = place();
  await runProgram(['trust', file], { home });
  chmodSync(list, 0o666);
  expect((await runProgram(['trust'], { home })).stderr).toContain(`${list} can be changed by other users (mode 0666)`);
  await withServer({ home, args: ['--allowed-roots', home.dir] }, async (server) => {
    expect((await server.callTool('run', { command: 'pwd', cwd: path.dirname(file) })).facts.error?.code).toBe('INVALID_CWD');
  });
});
