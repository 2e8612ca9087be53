// Writes docs/tools.md and the tables of tools and settings in README.md, from what the built server itself says.
// --check changes nothing and fails when one of them is stale.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { connect } from './lib/connect.mjs';
import { cell, replaceBetween, table } from './lib/markdown.mjs';
import { fail, ROOT } from './lib/steps.mjs';

const REFERENCE = path.join(ROOT, 'docs', 'tools.md');
/** In characters; a table's row should stay a line. */
const LONG_SENTENCE = 120;
const README = path.join(ROOT, 'README.md');

const tools = await listTools();
const readme = replaceBetween(readFileSync(README, 'utf8'), 'tools', summary(tools));
const wanted = new Map([[REFERENCE, reference(tools)], [README, replaceBetween(readme, 'settings', await settings())]]);
const stale = [...wanted].filter(([file, text]) => !existsSync(file) || readFileSync(file, 'utf8') !== text);
if (process.argv.includes('--check')) {
  for (const [file] of stale) console.log(`${path.relative(ROOT, file)}: stale; run node scripts/tool-reference.mjs`);
  if (stale.length > 0) process.exitCode = 1;
} else {
  for (const [file, text] of stale) writeFileSync(file, text);
}

/** With default settings, whatever this machine has in its environment and configuration. */
async function listTools() {
  const home = mkdtempSync(path.join(tmpdir(), 'shellkeep-reference-'));
  const server = await connect({ env: { PATH: process.env['PATH'] ?? '', HOME: home, XDG_RUNTIME_DIR: home, XDG_CONFIG_HOME: home } })
    .catch((error) => fail(`the built server does not answer: ${error.message}`));
  const { tools } = await server.client.listTools();
  await server.close();
  rmSync(home, { recursive: true, force: true });
  return tools;
}

function summary(tools) {
  return table([['Tool', 'What it does'], ...tools.map(({ name, description }) => [`[\`${name}\`](docs/tools.md#${name})`, firstSentence(description)])]);
}

async function settings() {
  const { schemaOf, SETTINGS } = await import('../dist/config/schema.js');
  const rows = Object.entries(SETTINGS).map(([key, { schema, meaning }]) => [`\`${key}\``, valuesOf(schemaOf(key)), byDefault(key, schema), meaning]);
  return table([['Setting', 'Values', 'Default', 'Meaning'], ...rows]);
}

/** As they are written in the configuration file. */
function valuesOf(schema) {
  if (schema.type === 'integer') return `${number(schema.minimum)} to ${number(schema.maximum)}`;
  if (schema.type === 'boolean') return '`true` `false`';
  return schema.items?.type === 'object' || schema.items?.oneOf !== undefined ? 'tables' : schema.type === 'array' ? 'list of texts' : typeOf(schema);
}

function byDefault(key, schema) {
  if (key === 'allowed_roots') return 'home, `/tmp`, `/var/tmp`, and where the server was started unless that is `/` or a system directory';
  const { data } = schema.safeParse(undefined);
  return data === undefined || (Array.isArray(data) && data.length === 0) ? '' : typeof data === 'number' ? number(data) : `\`${data}\``;
}

function number(value) {
  return value.toLocaleString('en-US');
}

/** The first sentence; of a long one what stands before its colon. */
function firstSentence(text) {
  const sentence = /^[^]*?\.(?=\s|$)/.exec(text)?.[0] ?? text;
  return sentence.length <= LONG_SENTENCE ? sentence : sentence.replace(/:\s[^]*/, '.');
}

function reference(tools) {
  const head = '# Tools\n\n<!-- Written by scripts/tool-reference.mjs from the built server; do not edit. -->\n\n'
    + 'What a client sees of each tool: its description, its arguments and the fields of its result. Arguments are checked strictly: an unknown one is refused by name.\n'
    + 'Every result holds the same facts twice, as `structuredContent` and as text. A result that is an error has `isError` and `error: {code, message, hint}`.\n';
  return `${head}\n${tools.map(section).join('\n')}`;
}

function section({ name, title, description, inputSchema, outputSchema, annotations }) {
  const parts = [
    `## ${name}`,
    `${title === undefined ? '' : `**${title}.** `}${description}`,
    `*${effects(annotations ?? {})}*`,
    argumentTable(inputSchema),
  ];
  if (outputSchema !== undefined) parts.push(`Result: ${propertiesOf(outputSchema).map(({ name, part }) => `\`${name}\` ${typeOf(part)}`).join(' · ')}`);
  return `${parts.join('\n\n')}\n`;
}

function effects({ readOnlyHint, destructiveHint, idempotentHint, openWorldHint }) {
  return [
    readOnlyHint ? 'reads only' : 'changes things',
    ...(readOnlyHint ? [] : [destructiveHint ? 'can destroy' : 'destroys nothing', idempotentHint ? 'twice is the same as once' : 'twice is not once']),
    openWorldHint ? 'reaches outside this server' : 'stays inside this server',
  ].join(' · ');
}

function argumentTable(schema) {
  const rows = propertiesOf(schema).map(({ name, part, isRequired }) => [`\`${name}\``, typeOf(part), whenAbsent(part, isRequired), meaning(part)]);
  return rows.length === 0 ? 'No arguments.' : table([['Argument', 'Type', 'Default', 'Meaning'], ...rows]);
}

function whenAbsent(part, isRequired) {
  if (part.default !== undefined) return `\`${JSON.stringify(part.default)}\``;
  return isRequired ? '*required*' : '';
}

/** All properties; those of a list's items or of an object follow it with a dotted name. */
function propertiesOf(schema, prefix = '') {
  const required = new Set(schema.required ?? []);
  return Object.entries(schema.properties ?? {}).flatMap(([key, part]) => {
    const name = `${prefix}${key}`;
    const inner = part.type === 'array' ? [part.items ?? {}, `${name}[].`] : [part, `${name}.`];
    return [{ name, part, isRequired: required.has(key) }, ...propertiesOf(...inner)];
  });
}

function typeOf(part) {
  if (part.enum !== undefined) return part.enum.map((value) => `\`${cell(value)}\``).join(' ');
  if (part.const !== undefined) return `\`${part.const}\``;
  if (part.type === 'array') return `list of ${typeOf(part.items ?? {})}`;
  if (part.type === 'object' && part.properties === undefined) return 'map';
  return part.type ?? 'any';
}

function meaning({ description = '', minimum, maximum, maxLength, maxItems }) {
  const said = [];
  const isBounded = Math.abs(minimum) < Number.MAX_SAFE_INTEGER && maximum < Number.MAX_SAFE_INTEGER;
  if (isBounded) said.push(`${number(minimum)} to ${number(maximum)}`);
  if (maxLength !== undefined) said.push(`at most ${number(maxLength)} characters`);
  if (maxItems !== undefined) said.push(`at most ${number(maxItems)}`);
  return [description, ...said.filter((bound) => !description.includes(bound))].filter((text) => text !== '').join('; ');
}
