// Download in one step, run in the next: which files a script fetches, and which it runs.
import type { SimpleCommand } from '../syntax/command.ts';
import { hasEscapes } from '../syntax/escapes.ts';
import { innerOf } from '../syntax/inner.ts';
import { hasUnknown, UNKNOWN } from '../syntax/marks.ts';
import { hasOption, optionValues, parseArguments } from '../syntax/options.ts';
import { isFetcher } from '../syntax/producers.ts';
import { writtenBy } from './writes.ts';

/** The letters of curl that take a value; those of the others. */
const CURL = 'oHdXuAbceFmrTUwxyYzCDEKQt';
const OTHERS = 'oOPaeBtTwQUDIXARi';
const FETCHING = { values: OTHERS, longValues: ['output', 'output-document', 'output-dir', 'directory-prefix', 'header', 'data', 'user', 'request', 'proxy', 'out', 'dir'] };
const FETCHING_BY_CURL = { ...FETCHING, values: CURL };
const MOVING = new Set(['mv', 'cp', 'install', 'ln', 'gmv', 'gcp', 'ditto']);
/** Their own syntax of names to save to is not read: what they fetch is what they are told to write. */
const NAMES_AFTER_ADDRESS = new Set(['wget', 'wget2', 'aria2c', 'axel', 'fetch', 'lwp-download']);

/** They copy from another machine, `host:path`, too. */
const COPYING = new Set(['scp', 'rsync', 'sftp']);
const REMOTE = /^(?:[\w.-]+@)?[\w.-]+::?[^:]|^(?:rsync|scp|sftp):\/\//;

const NONE: ReadonlySet<string> = new Set();

/**
 * The names, without directories, of the files that a script fetches. In what order things stand does not count, nor in which directory: a script that does both is rare
 * unless it means to.
 */
export function downloadsOf(commands: readonly SimpleCommand[]): ReadonlySet<string> {
  if (!commands.some(({ program }) => isFetcher(program) || COPYING.has(program))) return NONE;
  const found = new Set<string>();
  for (const command of commands) for (const name of fetchedBy(command)) found.add(name);
  for (const command of commands) if (MOVING.has(command.program) && command.args.some((arg) => found.has(nameOf(arg)))) for (const path of writtenBy(command)) found.add(nameOf(path));
  found.delete('');
  found.delete('-');
  return found;
}

/** Whether a command runs a file that the script has fetched. */
export function runsDownload(command: SimpleCommand, downloads: ReadonlySet<string>): boolean {
  if (downloads.size === 0) return false;
  if (downloads.has(command.program) && !isFetcher(command.program)) return true;
  return filesRunBy(command).some((path) => downloads.has(nameOf(path)) || (hasUnknown(path) && [...downloads].some(hasUnknown)));
}

function filesRunBy(command: SimpleCommand): readonly string[] {
  return innerOf(command.program, command.args).flatMap((inner) => {
    if (inner.kind === 'file') return [inner.path];
    return inner.kind === 'input' && !hasEscapes(inner.language) ? command.redirections.flatMap(({ operator, targets }) => (operator === '<' ? targets : [])) : [];
  });
}

function fetchedBy(command: SimpleCommand): readonly string[] {
  if (COPYING.has(command.program)) return copiedBy(command);
  const isFetching = isFetcher(command.program);
  if (!isFetching && !command.upstream.some(({ program }) => isFetcher(program))) return [];
  const written = writtenBy(command).map(nameOf);
  if (!isFetching) return written;
  const isCurl = command.program === 'curl';
  const parsed = parseArguments(command.args, isCurl ? FETCHING_BY_CURL : FETCHING);
  const named = optionValues(parsed, isCurl ? 'o' : 'oO', 'output', 'output-document', 'out').map(nameOf);
  const isNamedAfterAddress = isCurl ? hasOption(parsed, 'O', 'remote-name', 'remote-name-all') : NAMES_AFTER_ADDRESS.has(command.program);
  return [...written, ...named, ...(isNamedAfterAddress ? parsed.operands.map((address) => (hasUnknown(address.split('/').at(-1) ?? '') ? UNKNOWN : nameOf(address.replace(/[?#].*$/, '')))) : [])];
}

/** The names of what is copied from another machine, there and here. */
function copiedBy({ args }: SimpleCommand): readonly string[] {
  const operands = args.filter((arg) => !arg.startsWith('-'));
  const sources = operands.slice(0, -1).filter((operand) => REMOTE.test(operand));
  return sources.length === 0 ? [] : [...sources, operands.at(-1) ?? ''].map(nameOf).map((name) => name.replace(/^.*:/, ''));
}

function nameOf(path: string): string {
  return path.replace(/\/+$/, '').replace(/^.*\//s, '');
}
