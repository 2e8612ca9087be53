// The tools that tell what this machine has: the system and its shells, programs, and what a name means.
import { z } from 'zod';
import { MAX_NAMES } from '../discovery/binaries.ts';
import type { MachineFacts } from '../discovery/discovery.ts';
import { ExpectedError } from '../errors.ts';
import { defined } from '../lib/defined.ts';
import { counted } from '../lib/counted.ts';
import { anyId, programName } from './fields.ts';
import { directoryOf } from './place.ts';
import { inLine, joined, page, statusLine } from './render.ts';
import type { CallContext, Services } from './services.ts';
import { defineTool } from './tool.ts';

const environment = z.object({
  os: z.string(),
  kernel: z.string(),
  arch: z.string(),
  wsl: z.boolean(),
  node: z.string(),
  shells: z.array(z.object({ name: z.string(), path: z.string(), version: z.string().optional(), default: z.boolean() })),
  home: z.string(),
  cwd: z.string().optional(),
  user: z.string(),
  locale: z.string().optional(),
  path_entries: z.array(z.string()),
  env_keys: z.array(z.string()),
});
type Environment = z.input<typeof environment>;

export const checkEnv = defineTool({
  name: 'check_env',
  title: 'Look at the machine',
  description: 'Describe this machine: OS, shells and the default one, user, directories, PATH, names in the environment.',
  effect: 'reads',
  input: () => z.strictObject({}),
  output: environment,
  handle: async (_, services, context) => {
    const [discovery, cwd] = await Promise.all([services.discovery(context.owner), usualDirectory(services, context)]);
    return structuredMachine(await discovery.machine(), services.gate.home, cwd);
  },
  text: environmentText,
});

function structuredMachine({ shells, pathEntries, envKeys, ...host }: MachineFacts, home: string, cwd: string | undefined): Environment {
  return {
    ...host,
    shells: shells.map(({ isDefault, ...shell }) => ({ ...shell, default: isDefault })),
    home,
    cwd,
    path_entries: [...pathEntries],
    env_keys: [...envKeys],
  };
}

function environmentText({ shells, ...facts }: Environment): string {
  return [
    statusLine(inLine(facts.os), inLine(facts.kernel), facts.arch, facts.wsl ? 'wsl' : 'no wsl', `node ${facts.node}`),
    statusLine(`user ${inLine(facts.user)}`, `home ${inLine(facts.home)}`, facts.cwd !== undefined && `cwd ${inLine(facts.cwd)}`, facts.locale !== undefined && `locale ${inLine(facts.locale)}`),
    ...shells.map((shell) => statusLine(joined([shell.name, shell.version]).replace(' · ', ' '), inLine(shell.path), shell.default && 'default')),
    statusLine(`PATH: ${facts.path_entries.map((entry) => (entry === '' ? '""' : inLine(entry))).join(', ')}`),
    statusLine(`environment: ${facts.env_keys.map(inLine).join(', ')}`),
  ].join('\n');
}

const listed = z.object({
  binaries: z.array(z.object({ name: z.string(), exists: z.boolean(), path: z.string().optional(), version: z.string().optional() })),
  count: z.int(),
});

export const listBinaries = defineTool({
  name: 'list_binaries',
  title: 'Find programs',
  description: 'Tell which programs are installed, with path and version: those in names, or 45 well-known ones.',
  effect: 'reads',
  input: () => z.strictObject({ names: z.array(programName).max(MAX_NAMES).optional() }),
  output: listed,
  handle: async ({ names }, services, context) => {
    const cwd = (await usualDirectory(services, context)) ?? '/';
    const found = await (await services.discovery(context.owner)).binaries(names, cwd, context.signal);
    return { binaries: found.map(({ name, path, version }) => ({ name, exists: path !== undefined, ...defined({ path, version }) })), count: found.length };
  },
  text: ({ binaries, count }) => page([statusLine(counted(count, 'program'))], binaries.map(({ name, path, version }) => joined([inLine(name), path === undefined ? 'missing' : inLine(path), version])).join('\n')),
});

const located = z.object({
  name: z.string(),
  exists: z.boolean(),
  path: z.string().optional(),
  version: z.string().optional(),
  kind: z.enum(['file', 'builtin', 'alias', 'function', 'missing']),
});

export const which = defineTool({
  name: 'which',
  title: 'Find a command',
  description: 'Tell what a command name is: a program with path and version; with session_id what that shell takes it for.',
  effect: 'reads',
  input: () => z.strictObject({ name: programName, session_id: anyId.optional() }),
  output: located,
  handle: async ({ name, session_id: sessionId }, services, context) => {
    const words = sessionId === undefined ? undefined : services.sessions.words(context.owner, sessionId);
    const discovery = await services.discovery(context.owner);
    const found = words === undefined ? await discovery.which(name, (await usualDirectory(services, context)) ?? '/') : await discovery.whichIn(words, name);
    return { ...found, exists: found.kind !== 'missing' };
  },
  text: ({ name, kind, path, version }) => statusLine(inLine(name), kind, path !== undefined && inLine(path), version),
});

/** Where a command starts for which nobody says where; there may be no such place. */
async function usualDirectory(services: Services, context: CallContext): Promise<string | undefined> {
  try {
    return (await directoryOf(undefined, services, context)).path;
  } catch (error) {
    if (!(error instanceof ExpectedError)) throw error;
    return undefined;
  }
}
