// Processes by ps(1), for systems without /proc (macOS, the BSDs).
import { execFileSync } from 'node:child_process';
import type { ProcessInfo } from './proc.ts';

const COLUMNS = ['pid', 'ppid', 'pgid', 'sess', 'tpgid', 'state', 'time', 'lstart', 'comm'];
const LINE = /^ *(\d+) +(\d+) +(\d+) +(\S+) +(-?\d+) +(\S)\S* +(\S+) +(\w+ +\w+ +\d+ [\d:]+ \d+) +(.*)$/;

/** All processes, or only one; empty when there is none. Takes 5-10 ms. */
export function listByPs(pid?: number): ProcessInfo[] {
  const which = pid === undefined ? ['-ax'] : ['-p', String(pid)];
  const options = COLUMNS.flatMap((column) => ['-o', `${column}=`]);
  let text: string;
  try {
    text = execFileSync('ps', [...which, ...options], {
      encoding: 'latin1',
      env: { PATH: process.env['PATH'] ?? '/bin:/usr/bin', LC_ALL: 'C' }, // the start time is in the locale's words
      stdio: ['ignore', 'pipe', 'ignore'],
      maxBuffer: 64 * 1024 * 1024,
    });
  } catch {
    return []; // ps exits with 1 when no process matches
  }
  return text.split('\n').flatMap((line) => parseLine(line) ?? []);
}

function parseLine(line: string): ProcessInfo | undefined {
  const [, pid, ppid, pgrp, session, tpgid, state, time, start, comm] = LINE.exec(line) ?? [];
  if (pid === undefined || state === undefined || time === undefined || start === undefined || comm === undefined) return undefined;
  return {
    pid: Number(pid),
    ppid: Number(ppid),
    pgrp: Number(pgrp),
    session: Number(session) || 0, // macOS prints a pointer
    tpgid: Number(tpgid),
    state,
    threads: 0,
    cpuMs: parseTime(time),
    startTime: Date.parse(start),
    comm: comm.slice(comm.lastIndexOf('/') + 1),
  };
}

/** `[[days-]hours:]minutes:seconds[.hundredths]` in milliseconds. */
function parseTime(time: string): number {
  const [clock = '', days = '0'] = time.split('-').reverse();
  const seconds = clock.split(':').reduce((sum, part) => sum * 60 + Number(part), 0);
  return Math.round((Number(days) * 86_400 + seconds) * 1_000);
}
