// The cases, and the place they are classified in.
import { readFileSync } from 'node:fs';
import type { ClassifyContext } from '../../src/policy/classify.ts';
import type { CommandClass } from '../../src/policy/verdict.ts';

export interface CaseFile {
  readonly context: { readonly cwd: string; readonly home: string; readonly allowed_roots: readonly string[] };
  readonly groups: readonly { readonly shell: ClassifyContext['shell']; readonly class: CommandClass; readonly commands: readonly string[] }[];
}

const file = JSON.parse(readFileSync(new URL('cases.json', import.meta.url), 'utf8')) as CaseFile;

export const CONTEXT: ClassifyContext = { shell: 'bash', cwd: file.context.cwd, home: file.context.home, allowedRoots: file.context.allowed_roots };
export const CASES = file.groups.flatMap((group) => group.commands.map((command) => ({ shell: group.shell, class: group.class, command })));
/** From the least to the most. */
export const ORDER: readonly CommandClass[] = ['safe', 'dangerous', 'reject'];
