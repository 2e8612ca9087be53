// Our entry in the hooks of Claude Code's settings: put in and taken out, with everything else as it was.
import { isDeepStrictEqual } from 'node:util';

/** A group of handlers for the tools that its pattern names. */
export interface HookGroup {
  readonly matcher: string;
  readonly hooks: readonly { readonly type: 'command'; readonly command: string; readonly timeout: number }[];
}

/** Why settings cannot be changed, as the end of a sentence. */
export class SettingsFault extends Error {}

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

/** The settings with this group and no other of ours; the same text when it is there. Throws SettingsFault. */
export function withHook(text: string, group: HookGroup): string {
  return changed(text, group, [group]);
}

/** The settings without any group of ours; the same text when there is none. Throws SettingsFault. */
export function withoutHook(text: string, group: HookGroup): string {
  return changed(text, group, []);
}

function changed(text: string, known: HookGroup, wanted: readonly HookGroup[]): string {
  const settings = parsed(text);
  const { hooks = {} } = settings;
  if (!isRecord(hooks)) throw new SettingsFault('has "hooks" that are no object');
  const groups = hooks[EVENT] ?? [];
  if (!Array.isArray(groups)) throw new SettingsFault(`has "hooks.${EVENT}" that is no list`);
  const isOurs = (handler: unknown): boolean => isHandler(handler) && (OURS.test(handler.command) || handler.command === known.hooks[0]?.command);
  const ours: unknown[] = groups.filter((group) => handlersOf(group).some(isOurs));
  if (isDeepStrictEqual(ours, wanted)) return text;
  const left = [...groups.flatMap((group: unknown) => withoutHandlers(group, isOurs)), ...wanted];
  return written(text, withPart(settings, 'hooks', withPart(hooks, EVENT, left)));
}

/** A part that has become empty by our leaving goes, too. */
function withPart(whole: Readonly<Record<string, unknown>>, key: string, part: object): Record<string, unknown> {
  const { [key]: _, ...rest } = whole;
  if (Object.keys(part).length === 0) return rest;
  return { ...whole, [key]: part };
}

function withoutHandlers(group: unknown, isOurs: (handler: unknown) => boolean): unknown[] {
  const handlers = handlersOf(group);
  const others = handlers.filter((handler) => !isOurs(handler));
  if (others.length === handlers.length || !isRecord(group)) return [group];
  return others.length === 0 ? [] : [{ ...group, hooks: others }];
}

function handlersOf(group: unknown): readonly unknown[] {
  const handlers = isRecord(group) ? group['hooks'] : undefined;
  return Array.isArray(handlers) ? handlers : [];
}

function isHandler(handler: unknown): handler is { readonly command: string } {
  return isRecord(handler) && typeof handler['command'] === 'string';
}

function parsed(text: string): Readonly<Record<string, unknown>> {
  if (text.trim() === '') return {};
  try {
    const settings: unknown = JSON.parse(text.trim()); // takes a byte-order mark away, too
    if (isRecord(settings)) return settings;
  } catch (error) {
    throw new SettingsFault(`is no plain JSON (${error instanceof Error ? error.message : String(error)})`);
  }
  throw new SettingsFault('is no JSON object');
}

/** With the indentation, the line ends and the byte-order mark that it had. */
function written(before: string, settings: object): string {
  const indentation = /^[\s\uFEFF]*\{\r?\n([ \t]+)/.exec(before)?.[1] ?? '  ';
  const text = `${before.startsWith('\uFEFF') ? '\uFEFF' : ''}${JSON.stringify(settings, undefined, indentation)}${/\S$/.test(before) ? '' : '\n'}`;
  return before.includes('\r\n') ? text.replaceAll('\n', '\r\n') : text;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
