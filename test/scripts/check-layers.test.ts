// The checker of the source tree's shape: each kind of violation is found, a clean tree is not complained about.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findViolations } from '../../scripts/check-layers.mjs';

let source = '';
beforeEach(() => {
  source = mkdtempSync(path.join(tmpdir(), 'layers-'));
});
afterEach(() => rmSync(source, { recursive: true }));

function write(file: string, text: string): void {
  mkdirSync(path.dirname(path.join(source, file)), { recursive: true });
  writeFileSync(path.join(source, file), `// what it is for\n${text}`);
}

test('a tree whose imports point down has no violation', () => {
  write('errors.ts', 'export class E extends Error {}\n');
  write('lib/ids.ts', "import { E } from '../errors.ts';\nexport const limit = new E();\n");
  write('process/pty.ts', "import { spawn } from 'node:child_process';\nimport { limit } from '../lib/ids.ts';\nexport const p = [spawn, limit, '/proc/self'];\n");
  write('session/table.ts', "import type { p } from '../process/pty.ts';\nexport type P = typeof p;\n");
  expect(findViolations(source)).toEqual([]);
});

test.each([
  ['an import that points up', 'lib/a.ts', "import type { P } from '../session/table.ts';\n", 'session is above lib'],
  ['session and task importing one another', 'task/a.ts', "import { P } from '../session/table.ts';\n", 'session is beside task'],
  ['a dynamic import that points up', 'lib/a.ts', "export const a = () => import('../session/table.ts');\n", 'session is above lib'],
  ['an import of a missing file', 'lib/a.ts', "import './b.ts';\n", 'not there'],
  ['an import of a compiled name', 'session/a.ts', "import { P } from './table.js';\n", 'named with ".ts"'],
  ['child_process outside process/', 'task/a.ts', "import { spawn } from 'node:child_process';\n", 'only process/'],
  ['the terminal package outside process/', 'session/a.ts', "import * as pty from 'node-pty';\n", 'only process/'],
  ['/proc outside process/', 'task/a.ts', 'export const a = (pid: number) => `/proc/${pid}/stat`;\n', 'reads /proc'],
  ['the SDK outside mcp/', 'tools/a.ts', "import { z } from '@modelcontextprotocol/sdk/types.js';\n", 'only mcp/'],
  ['files in a pure folder', 'terminal/a.ts', "import fs from 'node:fs';\n", 'terminal is pure'],
  ['the clock in a pure folder', 'shell/a.ts', 'export const a = () => Date.now();\n', 'uses Date.now'],
  ['today in a pure folder', 'shell/a.ts', 'export const a = () => new Date();\n', 'reads the clock'],
  ['chance in a pure folder', 'syntax/a.ts', 'export const a = Math.random();\n', 'uses Math.random'],
  ['the process in a pure folder', 'lib/a.ts', "export const a = process.env['A'];\n", 'uses process'],
  ['a timer in a pure folder', 'lib/a.ts', 'setTimeout(() => {}, 1);\n', 'uses setTimeout'],
  ['a default export', 'lib/a.ts', 'export default 1;\n', 'default export'],
  ['a default function', 'lib/a.ts', 'export default function a() {}\n', 'default export'],
  ['a re-export', 'tools/a.ts', "export { P } from '../session/table.ts';\n", 're-exports'],
  ['an index file', 'lib/index.ts', 'export const a = 1;\n', 'index file'],
  ['a folder without a layer', 'utils/a.ts', 'export const a = 1;\n', 'in no layer'],
  ['a long file', 'lib/a.ts', 'export {};\n'.repeat(300), '301 lines'],
])('%s is a violation', (_title, file, text, expected) => {
  write('session/table.ts', 'export type P = 1;\n');
  write(file, text);
  expect(findViolations(source)).toEqual([expect.stringContaining(expected)]);
});

test('types alone may go in a ring', () => {
  write('lib/a.ts', "import type { B } from './b.ts';\nexport type A = B;\n");
  write('lib/b.ts', "import type { A } from './a.ts';\nexport type B = A;\n");
  expect(findViolations(source)).toEqual([]);
});

test('a ring of imports is found once', () => {
  write('lib/a.ts', "import './b.ts';\n");
  write('lib/b.ts', "import './a.ts';\n");
  expect(findViolations(source)).toEqual(['src/lib/a.ts:1 is in a ring of imports: lib/a.ts > lib/b.ts > lib/a.ts']);
});

test('a file without a first comment is a violation', () => {
  writeFileSync(path.join(source, 'errors.ts'), 'export {};\n');
  expect(findViolations(source)).toEqual([expect.stringContaining('does not start with a comment')]);
});
