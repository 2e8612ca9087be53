// A real rsyslogd of the test's own: it listens on loopback and on sockets in a temporary folder, and writes down what it has understood of each message.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { onTestFinished } from 'vitest';

/** The fields of a message in the words of the protocol. */
export interface Understood {
  readonly version: string;
  readonly facility: string;
  readonly severity: string;
  readonly time: string;
  readonly host: string;
  readonly app: string;
  readonly processId: string;
  readonly messageId: string;
  readonly data: string;
  readonly message: string;
}

export interface Rsyslog {
  readonly port: number;
  /** A local socket that takes streams, and one that takes datagrams, as /dev/log usually does. */
  readonly streamPath: string;
  readonly datagramPath: string;
  readonly messages: () => Understood[];
  readonly stop: () => Promise<void>;
  /** With the same ports and the same file. */
  readonly start: () => Promise<void>;
}

const FIELDS = ['protocol-version', 'syslogfacility-text', 'syslogseverity-text', 'timereported:::date-rfc3339', 'hostname', 'app-name', 'procid', 'msgid', 'structured-data', 'msg'];
const POLL_MS = 20;

export async function startRsyslog(): Promise<Rsyslog> {
  const folder = mkdtempSync(join(tmpdir(), 'shellkeep-rsyslog-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const port = await freePort();
  const [streamPath, datagramPath, output, file] = ['stream.sock', 'datagram.sock', 'messages', 'rsyslog.conf'].map((name) => join(folder, name)) as [string, string, string, string];
  writeFileSync(file, `
global(workDirectory="${folder}" maxMessageSize="128k" parser.escapeControlCharactersOnReceive="off")
module(load="imudp")
module(load="imtcp")
module(load="imptcp")
module(load="imuxsock" SysSock.Use="off")
input(type="imudp" address="127.0.0.1" port="${port}")
input(type="imtcp" address="127.0.0.1" port="${port}")
input(type="imptcp" path="${streamPath}")
input(type="imuxsock" Socket="${datagramPath}" RateLimit.Interval="0")
template(name="understood" type="string" string="${FIELDS.map((field) => `%${field}%`).join('|')}\\n")
action(type="omfile" file="${output}" template="understood")
`);
  let stop = (): Promise<void> => Promise.resolve();
  const start = async (): Promise<void> => {
    const child = spawn('rsyslogd', ['-n', '-f', file, '-i', join(folder, 'pid')], { stdio: 'ignore' });
    stop = async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGKILL');
      await once(child, 'exit');
    };
    while (!(await answers(port)) || !existsSync(datagramPath)) await sleep(POLL_MS); // it has no other way to say that it listens
  };
  onTestFinished(() => stop());
  await start();
  return { port, streamPath, datagramPath, messages: () => read(output), stop: () => stop(), start };
}

function read(file: string): Understood[] {
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : [];
  return lines.map((line) => {
    const [version = '', facility = '', severity = '', time = '', host = '', app = '', processId = '', messageId = '', data = '', ...message] = line.split('|');
    return { version, facility, severity, time, host, app, processId, messageId, data, message: message.join('|') };
  });
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true));
    socket.on('connect', () => socket.destroy());
    socket.on('error', () => resolve(false));
  });
}
