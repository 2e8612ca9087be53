// The signals that end the program.
import { constants } from 'node:os';

const ENDING = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/** Tells of the first of SIGTERM, SIGINT and SIGHUP, with the exit status for it: 128 + n. A second one exits at once. */
export function onEndSignal(end: (status: number) => void): void {
  let isEnding = false;
  for (const signal of ENDING) {
    process.on(signal, () => {
      const status = 128 + constants.signals[signal];
      if (isEnding) process.exit(status); // the watchdog ends what is still there
      isEnding = true;
      end(status);
    });
  }
}
