// A server's log with its shipper as a process of its own: run with the built code, told by its arguments what to write and where to send it.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { onTestFinished } from 'vitest';
import { ROOT } from '../../support/paths.ts';

const built = (file: string): string => JSON.stringify(pathToFileURL(path.join(ROOT, 'dist', file)).href);

/** Writes `count` entries, or until SIGTERM, a few at a time, prints the name of each when it is acknowledged, and then does what `then` says. */
const PROGRAM = `
import { writeSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { AuditLog } from ${built('audit/log.js')};
import { createIdMaker } from ${built('lib/ids.js')};
const { directory, name, count, url, then, backups = 10_000, maxBytes = 65_536, pauseMs = 1 } = JSON.parse(process.argv[1]);
let shipping;
const log = new AuditLog({ directory, maxBytes, backups, gzipBytes: 1, sync: 'never', isRequired: false, makeId: createIdMaker(randomBytes), log: () => {}, onWritten: (seq) => shipping?.onWritten(seq) });
log.open();
const { Shipping } = await import(${built('audit/ship/shipping.js')});
const wait = (ms, signal) => sleep(ms === 60_000 ? ms : 5, undefined, { ref: false, signal }).catch(() => {});
shipping = await Shipping.start({ directory, sinks: [{ to: 'loki', url }], writer: log.writer, env: {}, log: (text) => console.error(text), wait, random: () => 0 });
let isEnough = false;
process.once('SIGTERM', () => (isEnough = true));
for (let i = 0; i < count && !isEnough; i++) {
  log.append({ kind: 'call', tool: 'run', outcome: 'done', detail: name + '-' + i });
  writeSync(1, name + '-' + i + '\\n');
  if (i % 20 === 0) await sleep(pauseMs);
}
if (then === 'drain') while (shipping.status.some(({ lagEntries }) => lagEntries > 0)) await sleep(5);
if (then === 'measure') {
  global.gc();
  await sleep(50);
  global.gc();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  writeSync(1, JSON.stringify({ heapUsed, arrayBuffers, ...shipping.status[0] }) + '\\n');
}
if (then !== 'leave') await shipping.stop();
`;

export interface ShippingProgram {
  readonly directory: string;
  readonly name: string;
  readonly count: number;
  readonly url: string;
  /** Until everything is there; with the memory that is in use; without an end. */
  readonly then: 'drain' | 'measure' | 'leave';
  readonly backups?: number;
  readonly maxBytes?: number;
  readonly pauseMs?: number;
}

export interface Running {
  readonly child: ChildProcess;
  readonly output: () => string;
  readonly errors: () => string;
  readonly ended: Promise<number | null>;
}

export function startShippingProgram(options: ShippingProgram): Running {
  const child = spawn(process.execPath, ['--expose-gc', '--input-type=module', '-e', PROGRAM, JSON.stringify(options)], { stdio: ['ignore', 'pipe', 'pipe'] });
  const [output, errors]: [Buffer[], Buffer[]] = [[], []];
  child.stdout.on('data', (piece: Buffer) => output.push(piece));
  child.stderr.on('data', (piece: Buffer) => errors.push(piece));
  onTestFinished(() => void child.kill('SIGKILL'));
  const ended = once(child, 'close').then(([code]) => code as number | null);
  return { child, output: () => Buffer.concat(output).toString(), errors: () => Buffer.concat(errors).toString(), ended };
}
