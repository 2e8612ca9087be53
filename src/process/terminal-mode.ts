// The modes of a terminal that say what is wanted at it.
import { execFile } from 'node:child_process';
import { toolPath } from './tool.ts';

export interface TerminalMode {
  /** ICANON: input comes in lines. */
  readonly isCanonical: boolean;
  /** ECHO: what is typed is shown. */
  readonly hasEcho: boolean;
  /** ISIG: the interrupt key makes a signal. */
  readonly makesSignals: boolean;
}

const TIMEOUT_MS = 1_000;

/** The terminal's modes now, by stty(1), since node has no tcgetattr: 2–4 ms. undefined when they cannot be had. */
export function readTerminalMode(terminalPath: string): Promise<TerminalMode | undefined> {
  const flag = process.platform === 'linux' ? '-F' : '-f';
  return new Promise((resolve) => {
    execFile('stty', [flag, terminalPath, '-a'], { timeout: TIMEOUT_MS, env: { PATH: toolPath(), LC_ALL: 'C' } }, (error, stdout) => {
      if (error !== null) return resolve(undefined);
      const words = new Set(stdout.split(/[\s;]+/));
      resolve({ isCanonical: words.has('icanon'), hasEcho: words.has('echo'), makesSignals: words.has('isig') });
    });
  });
}
