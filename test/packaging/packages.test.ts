// What is published: versions in step, forms as the registries and clients want them, and a skill that speaks of tools that there are.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import manifest from '../../package.json' with { type: 'json' };
import { catalogue } from '../../src/tools/catalogue.ts';
import type { Settings } from '../../src/config/schema.ts';
import { loadSettings } from '../../src/config/load.ts';
import { ROOT } from '../support/paths.ts';

const read = (name: string): string => readFileSync(path.join(ROOT, name), 'utf8');
const json = (name: string): unknown => JSON.parse(read(name));
const version = z.literal(manifest.version);

/** https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json, the parts that are used. */
const server = z.strictObject({
  $schema: z.literal('https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json'),
  name: z.literal(manifest.mcpName).and(z.string().regex(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/).min(3).max(200)),
  title: z.string().min(1).max(100),
  description: z.string().min(1).max(100),
  version,
  packages: z.tuple([z.strictObject({
    registryType: z.literal('npm'),
    identifier: z.literal(manifest.name),
    version,
    transport: z.strictObject({ type: z.literal('stdio') }),
    packageArguments: z.array(z.strictObject({ type: z.literal('positional'), value: z.string() })),
  })]),
});

const bundle = z.looseObject({
  manifest_version: z.literal('0.3'),
  name: z.literal(manifest.name),
  version,
  server: z.strictObject({ type: z.literal('node'), entry_point: z.literal(manifest.bin.shellkeep), mcp_config: z.strictObject({ command: z.literal('node'), args: z.tuple([z.literal('${__dirname}/dist/cli.js'), z.literal('stdio')]), env: z.record(z.string().regex(/^SHELLKEEP_/), z.string()) }) }),
  compatibility: z.strictObject({ platforms: z.array(z.enum(['darwin', 'linux'])), runtimes: z.strictObject({ node: z.literal(`${manifest.engines.node}.0`) }) }),
});

const plugin = z.looseObject({ name: z.string().regex(/^[a-z0-9-]+$/), version, description: z.string().min(1) });
const servers = z.strictObject({ mcpServers: z.strictObject({ shellkeep: z.strictObject({ command: z.literal('npx'), args: z.tuple([z.literal('-y'), z.literal(`shellkeep@${manifest.version}`), z.literal('connect')]) }) }) });

test.each([
  ['server.json', server],
  ['packaging/mcpb/manifest.json', bundle],
  ['packaging/claude-plugin/.claude-plugin/plugin.json', plugin],
  ['packaging/claude-plugin/.mcp.json', servers],
])('%s has the form that is wanted, and the version of the package', (name, schema) => {
  expect(schema.safeParse(json(name)).error?.message).toBeUndefined();
});

test('the newest entry of the changelog is the version of the package, or what is not released yet', () => {
  expect(read('CHANGELOG.md')).toMatch(new RegExp(`^## (?:\\[?${manifest.version.replaceAll('.', '\\.')}|\\[?unreleased)`, 'im'));
});

test('the skill has the head that is wanted, fits a context, and names only what there is', async () => {
  const text = read('packaging/claude-plugin/skills/shellkeep/SKILL.md');
  expect(text).toMatch(/^---\nname: shellkeep\ndescription: .{50,1024}\n---\n/);
  expect(text.split('\n').length).toBeLessThan(150);
  const { settings } = await loadSettings({ flags: {}, env: {}, configPath: undefined, home: '/home/u', startDirectory: '/' });
  const known = JSON.stringify(toolsOf(settings)) + read('src/errors.ts');
  const named = [...text.matchAll(/`([a-z]+(?:_[a-z]+)+|[A-Z]+(?:_[A-Z]+)+|check_env|run|classify|which)`/g)].map(([, name]) => name ?? '');
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter((name) => !known.includes(name))).toEqual([]);
});

function toolsOf(settings: Settings): unknown {
  return catalogue(settings).map(({ name, description, inputSchema, outputSchema }) => ({ name, description, inputSchema, outputSchema }));
}
