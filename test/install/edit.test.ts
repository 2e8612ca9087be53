// One entry in the configuration of a client: put in and taken out again, with every other byte as it was.
import { describe, expect, test } from 'vitest';
import { CLIENTS, type Client, type Way } from '../../src/install/clients.ts';
import { entryIn, withEntry } from '../../src/install/edit.ts';

const WAY: Way = { kind: 'program', command: '/usr/bin/node', args: ['/opt/shellkeep/dist/cli.js', 'connect'] };
const HTTP: Way = { kind: 'http', url: 'http://127.0.0.1:54321/mcp', token: 'shellkeep_x' };

function clientNamed(name: string): Client {
  const client = CLIENTS.find((known) => known.name === name);
  if (client === undefined) throw new Error(`no client ${name}`);
  return client;
}

const JSON_FILES: Readonly<Record<string, string>> = {
  'two spaces': '{\n  "numStartups": 7,\n  "mcpServers": {\n    "other": { "command": "x", "args": [] }\n  },\n  "z": [1, 2]\n}\n',
  'tabs, no newline at the end': '{\n\t"mcpServers": {\n\t\t"other": {"command": "x"}\n\t}\n}',
  'CRLF': '{\r\n    "mcpServers": {\r\n        "other": {}\r\n    }\r\n}\r\n',
  'a byte-order mark': '\uFEFF{\n  "mcpServers": {\n    "other": {}\n  }\n}\n',
  'one line': '{"a":1,"mcpServers":{"other":{"command":"x"}},"b":2}',
  'an empty table': '{\n  "mcpServers": {},\n  "b": 2\n}\n',
  'ours in the middle of others': '{\n  "mcpServers": {\n    "a": {},\n    "b": {}\n  }\n}\n',
};
const JSONC_FILES: Readonly<Record<string, string>> = {
  'comments everywhere': '// top\n{\n  // servers\n  "mcpServers": {\n    "other": { "command": "x" } // why\n    /* end */\n  } // after\n}\n// bottom\n',
  'trailing commas': '{\n  "mcpServers": {\n    "other": {},\n  },\n}\n',
  'a comma behind a comment': '{\n  "mcpServers": {\n    "other": {} /* odd */, // odder\n  },\n}\n',
};

describe('JSON', () => {
  test.each(Object.entries(JSON_FILES))('%s: put in and taken out gives the same bytes; twice changes nothing', (_, text) => {
    const client = clientNamed('claude-code');
    const once = withEntry(text, client, 'f', client.entry(WAY));
    expect(entryIn(once, client, 'f')).toEqual({ type: 'stdio', command: '/usr/bin/node', args: ['/opt/shellkeep/dist/cli.js', 'connect'] });
    expect(withEntry(once, client, 'f', client.entry(WAY))).toBe(once);
    expect(withEntry(once, client, 'f', undefined)).toBe(text);
  });

  test.each([...Object.entries(JSON_FILES), ...Object.entries(JSONC_FILES)])('%s, with comments allowed: the same', (_, text) => {
    const client = clientNamed('cursor');
    const once = withEntry(text, client, 'f', client.entry(WAY));
    expect(withEntry(once, client, 'f', undefined)).toBe(text);
    for (const line of text.split(/\r?\n/).filter((part) => part.includes('other'))) expect(once).toContain(line.replace(/ ?\}.*$/, ''));
  });

  test('looks like the rest of the file', () => {
    const client = clientNamed('cursor');
    expect(withEntry(JSON_FILES['tabs, no newline at the end'] ?? '', client, 'f', { url: 'u' })).toBe(
      '{\n\t"mcpServers": {\n\t\t"other": {"command": "x"},\n\t\t"shellkeep": {\n\t\t\t"url": "u"\n\t\t}\n\t}\n}',
    );
    expect(withEntry(JSONC_FILES['comments everywhere'] ?? '', client, 'f', { url: 'u' })).toBe(
      '// top\n{\n  // servers\n  "mcpServers": {\n    "other": { "command": "x" }, // why\n    "shellkeep": {\n      "url": "u"\n    }\n    /* end */\n  } // after\n}\n// bottom\n',
    );
  });

  test.each(['', '  \n', '{}', '{\n}\n', '{ "a": 1 }', '{\n  "a": 1\n}\n', '{ // only a comment\n}\n'])('%j gets the table, too', (text) => {
    const client = clientNamed('cursor');
    const once = withEntry(text, client, 'f', { url: 'u' });
    expect(entryIn(once, client, 'f')).toEqual({ url: 'u' });
    expect(once).toContain(text.includes('comment') ? '// only a comment' : '');
  });

  test.each([
    ['claude-code', '{\n  "a": 1,\n  // no\n}\n', 'f:3:3: invalid comment token'],
    ['claude-code', '{"a": 1,}', 'f:1:9: '],
    ['cursor', '{\n  "a": \n', 'f:'],
    ['cursor', '{"a" 1}', 'f:1:6: colon expected'],
    ['cursor', '[]', 'is no object'],
    ['cursor', '{"mcpServers": []}', '"mcpServers" is no object'],
    ['codex', 'a = 1\nb = = 2\n', 'f:2:5: '],
    ['codex', '[mcp_servers]\nshellkeep = { command = "x" }\n', 'cannot be edited without risk'],
    ['codex', 'mcp_servers.shellkeep.command = "x"\n', 'cannot be edited without risk'],
  ])('%s: %j is an error that says where, and changes nothing', (name, text, message) => {
    const client = clientNamed(name);
    expect(() => withEntry(text, client, 'f', client.entry(WAY))).toThrow(message);
  });

  test('what a person has added to our entry stays, the old way of reaching it does not', () => {
    const client = clientNamed('cursor');
    const text = '{"mcpServers":{"shellkeep":{"command":"old","args":[],"disabled":true,"env":{"A":"b"}}}}';
    expect(entryIn(withEntry(text, client, 'f', client.entry(HTTP)), client, 'f')).toEqual({ disabled: true, env: { A: 'b' }, url: 'http://127.0.0.1:54321/mcp', headers: { Authorization: 'Bearer shellkeep_x' } });
  });
});

const TOML_FILES: Readonly<Record<string, string>> = {
  'other servers and comments': '# mine\nmodel = "x"\n\n[mcp_servers.other]\ncommand = "a" # c\n\n# about tui\n[tui]\nx = 1\n',
  'CRLF': 'model = "x"\r\n\r\n[tui]\r\nx = 1\r\n',
  'no newline at the end': 'model = "x"',
  'a text that looks like our table': 'note = """\n[mcp_servers.other]\n"""\n',
};

describe('TOML', () => {
  const codex = clientNamed('codex');

  test.each(Object.entries(TOML_FILES))('%s: put in and taken out gives the same text; twice changes nothing', (_, text) => {
    const once = withEntry(text, codex, 'f', codex.entry(WAY));
    expect(entryIn(once, codex, 'f')).toEqual({ command: '/usr/bin/node', args: ['/opt/shellkeep/dist/cli.js', 'connect'], tool_timeout_sec: 620 });
    expect(withEntry(once, codex, 'f', codex.entry(WAY))).toBe(once);
    expect(withEntry(once, codex, 'f', undefined).trimEnd()).toBe(text.trimEnd());
  });

  test.each([
    ['a table of ours between others', '[a]\nx = 1\n\n[mcp_servers.shellkeep]\ncommand = "old"\n\n[mcp_servers.shellkeep.env]\nA = "b"\n\n# of b\n[b]\ny = 2\n'],
    ['ours with quotes', '[mcp_servers."shellkeep"]\ncommand = "old"\n# of b\n[b]\ny = 2\n'],
  ])('%s is changed in its place, and what was added to it stays', (_, text) => {
    const once = withEntry(text, codex, 'f', codex.entry(WAY));
    expect(entryIn(once, codex, 'f')).toMatchObject({ command: '/usr/bin/node', ...(text.includes('env') ? { env: { A: 'b' } } : {}) });
    expect(once).toContain('# of b\n[b]\ny = 2\n');
    expect(withEntry(once, codex, 'f', undefined)).not.toContain('shellkeep');
  });
});
