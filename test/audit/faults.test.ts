// T91: a disk that fails at any operation. One that is full is a test of the whole server.
import * as nodeFs from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { AuditFileSystem } from '../../src/audit/file-system.ts';
import { call, filesOf, linesOf, nextTurn, openLog, recordsOf } from './support.ts';

const OPERATIONS = ['chmodSync', 'closeSync', 'fdatasyncSync', 'fstatSync', 'fsyncSync', 'ftruncateSync', 'lstatSync', 'mkdirSync', 'openSync', 'readdirSync', 'readSync', 'renameSync', 'unlinkSync', 'writeSync'] as const;

/** node:fs in which one operation, counted over all of them, fails. Of a write that fails half is done first, if it `isShort`. */
function failingFs(nth: number, isShort: boolean): { fs: AuditFileSystem; hasFailed: () => boolean; heal: () => void } {
  let [count, hasFailed, isHealed] = [0, false, false];
  const wrapped = OPERATIONS.map((operation) => [operation, (...args: unknown[]): unknown => {
    count += 1;
    const isTurn = count === nth || (isShort && count === nth + 1 && operation !== 'writeSync');
    if (isTurn && !isHealed) {
      hasFailed = true;
      if (isShort && operation === 'writeSync') nodeFs.writeSync(args[0] as number, (args[1] as Buffer).subarray(0, 40));
      throw Object.assign(new Error(`EIO: i/o error, ${operation}`), { errno: -5, code: 'EIO' });
    }
    return Reflect.apply(nodeFs[operation], nodeFs, args) as unknown;
  }]);
  return { fs: { ...nodeFs, ...Object.fromEntries(wrapped) } as AuditFileSystem, hasFailed: () => hasFailed, heal: () => void (isHealed = true) };
}

describe.each([[false, 'fails'], [true, 'fails after a part of it was done, and what would mend it fails, too']])('the n-th operation', (isShort, how) => {
  test(`T91: ${how}, for each n: no call fails, what was not written is counted, no half line is accepted, and it recovers by itself`, async () => {
    for (let nth = 1; ; nth++) {
      const { fs, hasFailed, heal } = failingFs(nth, isShort);
      const { log, directory } = openLog({ fs, maxBytes: 4_096, backups: 100, gzipBytes: 1, sync: 'always' });
      log.open();
      for (let i = 0; i < 40; i++) {
        log.append(call(`entry ${i}`));
        if (i % 10 === 0) await nextTurn();
      }
      heal();
      log.append(call('after'));
      const { dropped, written, ok } = log.status;
      await log.close();
      const whole = filesOf(directory).filter((name) => !name.endsWith('.tmp')).flatMap((name) => linesOf(join(directory, name))).flatMap((line) => parsed(line));
      const details = whole.map(({ detail }) => String(detail)).filter((detail) => !detail.includes('could not be written'));
      expect(new Set(details).size, `n = ${nth}`).toBe(details.length);
      expect(details.length + dropped, `n = ${nth}`).toBe(41);
      expect(whole.length, `n = ${nth}`).toBe(written);
      expect(details, `n = ${nth}`).toContain('after');
      expect(dropped, `n = ${nth}`).toBeLessThanOrEqual(isShort ? 2 : 1);
      expect(ok || log.status.problem !== undefined, `n = ${nth}`).toBe(true);
      if (!hasFailed()) break;
      expect(nth).toBeLessThan(2_000);
    }
  }, 60_000);
});

test('T91: a required log runs no command that the n-th operation keeps it from recording', () => {
  for (let nth = 1; ; nth++) {
    const { fs, hasFailed } = failingFs(nth, false);
    const { log, directory } = openLog({ fs, isRequired: true, sync: 'always' });
    const ran: string[] = [];
    for (let i = 0; i < 5; i++) {
      try {
        log.append({ kind: 'start', tool: 'run', detail: `command ${i}` });
        ran.push(`command ${i}`);
      } catch (error) {
        expect(error).toMatchObject({ code: 'DISK_FULL' });
      }
    }
    const recorded = recordsOf(directory).map(({ detail }) => detail);
    expect(ran.filter((name) => !recorded.includes(name)), `n = ${nth}`).toEqual([]);
    if (!hasFailed()) break;
    expect(ran.length).toBeGreaterThanOrEqual(4);
  }
});

function parsed(line: string): { detail?: unknown }[] {
  try {
    return [JSON.parse(line) as { detail?: unknown }];
  } catch {
    return []; // torn, and known as such
  }
}
