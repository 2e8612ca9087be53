// Our hook in the settings of Claude Code: put in and taken out, with everything else as it was.
import { isDeepStrictEqual } from 'node:util';
import { StartError } from '../config/start-error.ts';
import { editJson, parseJson } from './json-text.ts';

/** A group of handlers for the tools that its pattern names. */
export interface HookGroup {
  readonly matcher: string;
  readonly hooks: readonly { readonly type: 'command'; readonly command: string; readonly timeout: number }[];
}

const EVENT = 'PreToolUse';
/** The shell tools of Claude Code. VS Code reads the same file, and asks before every tool. */
const MATCHER = 'Bash|PowerShell';
const TIMEOUT_S = 10;
/** Also when it was installed from elsewhere. */
const OURS = /\bshellkeep\b.*\shook\s*$/;

/** The group with the command that asks our hook. */
export function hookGroup(command: string): HookGroup {
  return { matcher: MATCHER, hooks: [{ type: 'command', command, timeout: TIMEOUT_S }] };
}

/** Settings with nothing but this group. */
export function hookEntryText(group: HookGroup): string {
  return editJson('', ['hooks', EVENT], [group]);
}

/**
 * The settings with this group and no other of ours; the same text when it is there.
 * @throws StartError naming the file, for settings that cannot be read as such
 */
export function withHook(text: string, group: HookGroup, file: string): string {
  return changed(text, { file, known: group, wanted: [group] });
}

/** The settings without any group of ours; the same text when there is none. Throws as `withHook` does. */
export function withoutHook(text: string, group: HookGroup, file: string): string {
  return changed(text, { file, known: group, wanted: [] });
}

interface Change {
  readonly file: string;
  readonly known: HookGroup;
  readonly wanted: readonly HookGroup[];
}

function changed(text: string, { file, known, wanted }: Change): string {
  const groups = groupsIn(text, file);
  const isOurs = (handler: unknown): boolean => isHandler(handler) && (OURS.test(handler.command) || handler.command === known.hooks[0]?.command);
  const ours: unknown[] = groups.filter((group) => handlersOf(group).some(isOurs));
  if (isDeepStrictEqual(ours, wanted)) return text;
  const left = [...groups.flatMap((group) => withoutHandlers(group, isOurs)), ...wanted];
  return editJson(text, ['hooks', EVENT], left.length === 0 ? undefined : left);
}

function groupsIn(text: string, file: string): readonly unknown[] {
  const settings = parseJson(text, file, true) ?? {};
  if (!isTable(settings)) throw new StartError(`${file} is no object: correct it`);
  const { hooks = {} } = settings;
  if (!isTable(hooks)) throw new StartError(`${file}: "hooks" is no object: correct it`);
  const { [EVENT]: groups = [] } = hooks;
  if (Array.isArray(groups)) return groups;
  throw new StartError(`${file}: "${EVENT}" is no list: correct it`);
}

function withoutHandlers(group: unknown, isOurs: (handler: unknown) => boolean): unknown[] {
  const handlers = handlersOf(group);
  const others = handlers.filter((handler) => !isOurs(handler));
  if (others.length === handlers.length || !isTable(group)) return [group];
  return others.length === 0 ? [] : [{ ...group, hooks: others }];
}

function handlersOf(group: unknown): readonly unknown[] {
  const handlers = isTable(group) ? group['hooks'] : undefined;
  return Array.isArray(handlers) ? handlers : [];
}

function isHandler(handler: unknown): handler is { readonly command: string } {
  return isTable(handler) && typeof handler['command'] === 'string';
}

function isTable(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
