// Runs in every test file: a process or a temporary file that the file's tests leave behind fails the file.
import { afterAll } from 'vitest';
import { leftFiles, serverTags } from './leftovers.ts';
import { isAlive, markThisFile, startedByThisFile, untilNone, type LiveProcess } from './processes.ts';

/** Long enough for a killed process to be gone on a busy machine; what is really left stays for good. */
const PATIENCE_MS = 3_000;

const before = startedByThisFile(new Set());
markThisFile();

// Registered before the file's own hooks, so it runs after them.
afterAll(async () => {
  const known = new Set(before.map(({ pid, startTime }) => `${pid} ${startTime}`));
  const look = (): LiveProcess[] => startedByThisFile(serverTags()).filter(({ pid, startTime }) => !known.has(`${pid} ${startTime}`));
  const left = await untilNone(look, PATIENCE_MS);
  for (const leftover of left) end(leftover);
  const files = leftFiles();
  const lines = [...left.map(({ pid, command }) => `process ${pid}: ${command}`), ...files.map((file) => `file ${file}`)];
  if (lines.length > 0) throw new Error(`the tests of this file left behind\n  ${lines.join('\n  ')}`);
});

/** The next file starts clean, whatever this one did. */
function end(leftover: LiveProcess): void {
  if (!isAlive(leftover)) return;
  try {
    process.kill(leftover.pid, 'SIGKILL');
  } catch {
    // gone between the look and the signal
  }
}
