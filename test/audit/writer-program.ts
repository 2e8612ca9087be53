// A server's part of the log as a process of its own: run with the built code, told by its arguments what to write.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { onTestFinished } from 'vitest';
import { ROOT } from '../support/paths.ts';

const built = (file: string): string => JSON.stringify(pathToFileURL(path.join(ROOT, 'dist', file)).href);

/** Writes `count` entries of random size and prints the name of each when it is acknowledged. */
const PROGRAM = `
import { writeSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { AuditLog } from ${built('audit/log.js')};
import { createIdMaker } from ${built('lib/ids.js')};
const { directory, name, count, maxBytes, gzipBytes, backups, least, most } = JSON.parse(process.argv[1]);
const told = [];
const log = new AuditLog({ directory, maxBytes, backups, gzipBytes, sync: 'interval', isRequired: false, makeId: createIdMaker(randomBytes), log: (text) => told.push(text) });
const healed = log.open();
writeSync(1, 'healed ' + healed.length + '\\n');
for (let i = 0; i < count; i++) {
  const detail = name + '-' + i;
  const size = least + Math.floor(Math.random() * (most - least));
  log.append({ kind: 'call', tool: 'run', outcome: 'done', detail, args: { values: { command: 'x'.repeat(size) }, redacted: 0 } });
  if (count < Infinity && i % 50 === 0) await new Promise((resolve) => setImmediate(resolve));
  if (most > 1_000) writeSync(1, detail + '\\n');
}
await log.close();
if (told.length > 0) { console.error(told.join('\\n')); process.exitCode = 1; }
`;

export interface WriterOptions {
  readonly directory: string;
  readonly name: string;
  readonly count: number;
  readonly maxBytes: number;
  readonly gzipBytes: number;
  readonly backups: number;
  /** Sizes of the entries, without what every record has. */
  readonly least: number;
  readonly most: number;
}

export interface Writer {
  readonly child: ChildProcess;
  /** What it printed, complete when it has ended. */
  readonly output: () => string;
  readonly ended: Promise<number | null>;
}

export function startWriter(options: WriterOptions): Writer {
  const child = spawn(process.execPath, ['--input-type=module', '-e', PROGRAM, JSON.stringify(options)], { stdio: ['ignore', 'pipe', 'inherit'] });
  const pieces: Buffer[] = [];
  child.stdout.on('data', (piece: Buffer) => pieces.push(piece));
  onTestFinished(() => void child.kill('SIGKILL'));
  return { child, output: () => Buffer.concat(pieces).toString(), ended: once(child, 'close').then(([code]) => code as number | null) };
}
