// The tables [[ship]]: what they may say, and that nothing of them is shown that may be secret.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { configText } from '../../src/cli/config.ts';
import { loadSettings } from '../../src/config/load.ts';
import { StartError } from '../../src/config/start-error.ts';

function load(text: string, more: Partial<Parameters<typeof loadSettings>[0]> = {}): { path: string; loaded: ReturnType<typeof loadSettings> } {
  const folder = mkdtempSync(join(tmpdir(), 'shellkeep-ship-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'config.toml');
  writeFileSync(path, text);
  return { path, loaded: loadSettings({ flags: {}, env: {}, configPath: path, home: '/home/u', startDirectory: '/', ...more }) };
}

const LOKI = 'to = "loki"\nurl = "http://127.0.0.1:3100/loki/api/v1/push"\n';
const CLOUDWATCH = 'to = "cloudwatch"\nregion = "eu-central-1"\ngroup = "agents"\n';
const SYSLOG = 'to = "syslog"\ntransport = "udp"\nhost = "log.example.org"\n';

test('each kind of sink is read with what it needs and no more', async () => {
  const { settings } = await load(`[[ship]]\n${LOKI}labels = {job = "audit"}\n[[ship]]\n${CLOUDWATCH}[[ship]]\n${SYSLOG}[[ship]]\nto = "syslog"\ntransport = "local"\n`).loaded;
  expect(settings.ship).toEqual([
    { to: 'loki', url: 'http://127.0.0.1:3100/loki/api/v1/push', labels: { job: 'audit' } },
    { to: 'cloudwatch', region: 'eu-central-1', group: 'agents' },
    { to: 'syslog', transport: 'udp', host: 'log.example.org', facility: 'authpriv' },
    { to: 'syslog', transport: 'local', facility: 'authpriv' },
  ]);
});

test('the settings in effect say how many sinks there are and where from, and nothing of what is in them', async () => {
  const { path, loaded } = load(`[[ship]]\n${LOKI}tenant = "team-a"\nauthorization_env = "LOKI_TOKEN"\n`);
  const { settings, origins } = await loaded;
  expect(configText(settings, origins)).toContain(`# ship: 1 tables [[ship]] (${path})\n`);
  expect(configText(settings, origins)).not.toMatch(/team-a|LOKI|3100/);
});

test.each([
  ['a kind that there is not', 'to = "kafka"\n', 'ship = "kafka" (from FILE): must be right in sink 1 ("kafka"): to: '],
  ['a table without a kind', 'url = "http://x/"\n', 'ship = (nothing) (from FILE): must be right in sink 1: to: '],
  ['an address that is none', LOKI.replace(/url.*/, 'url = "loki"'), 'ship = "loki" (from FILE): must be right in sink 1 ("loki"): url: must be an address that begins with http:// or https://'],
  ['an address of another kind', LOKI.replace('http:', 'ftp:'), 'sink 1 ("loki"): url: must be an address'],
  ['a table without an address', 'to = "loki"\n', 'ship = (nothing) (from FILE): must be right in sink 1 ("loki"): "url" is missing'],
  ['a misspelt key', `${LOKI}tenent = "a"\n`, 'ship = … (from FILE): must be right in sink 1 ("loki"): Unrecognized key: "tenent"'],
  ['a label that Loki has not', `${LOKI}labels = {"a-b" = "c"}\n`, 'sink 1 ("loki"): labels.a-b: '],
  ['the label that is ours', `${LOKI}labels = {server = "c"}\n`, 'sink 1 ("loki"): labels: may not have "server"'],
  ['two places of one token', `${LOKI}authorization_env = "A"\nauthorization_file = "/a"\n`, 'has authorization_env or authorization_file, not both'],
  ['a token in the place of a name', `${LOKI}authorization_env = "glc_abc="\n`, 'authorization_env: must be the name of an environment variable'],
  ['a second sink that is bad', `${LOKI}[[ship]]\n${CLOUDWATCH.replace('agents', 'a b')}`, 'ship = "a b" (from FILE): must be right in sink 2 ("cloudwatch"): group: must be the name of a log group'],
  ['syslog without a host', SYSLOG.replace(/host.*/, ''), 'sink 1 ("syslog"): needs a host'],
  ['syslog over nothing', SYSLOG.replace('udp', 'tpc'), 'ship = "tpc" (from FILE): must be right in sink 1 ("syslog"): transport: '],
  ['a path for a network', `${SYSLOG}path = "/dev/log"\n`, 'has a path only where the transport is "local"'],
  ['a port of its own for the local socket', 'to = "syslog"\ntransport = "local"\nport = 5\n', 'has no host and no port'],
  ['a port that is none', `${SYSLOG}port = 70000\n`, 'ship = 70000 (from FILE): must be right in sink 1 ("syslog"): port: '],
  ['the same place twice', `${LOKI}[[ship]]\n${LOKI}labels = {a = "b"}\n`, 'must not name the same place twice'],
])('%s stops the start with one line', async (_what, text, message) => {
  const { path, loaded } = load(`[[ship]]\n${text}`);
  const error: unknown = await loaded.catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(StartError);
  expect((error as StartError).message).toContain(message.replace('FILE', path));
  expect((error as StartError).message).not.toContain('\n');
});

test('a password in an address is refused, and not shown', async () => {
  const error: unknown = await load(`[[ship]]\n${LOKI.replace('//', '//me:hunter2@')}`).loaded.catch((reason: unknown) => reason);
  expect((error as StartError).message).toContain('has no user, password or fragment');
  expect((error as StartError).message).not.toContain('hunter2');
});

test('there is no flag and no variable for sinks, and who tries is told where they are', async () => {
  const error: unknown = await load('', { env: { SHELLKEEP_SHIP: 'loki' } }).loaded.catch((reason: unknown) => reason);
  expect((error as StartError).message).toBe('no variable SHELLKEEP_SHIP; sinks of the audit log are tables [[ship]] in the configuration file');
});
