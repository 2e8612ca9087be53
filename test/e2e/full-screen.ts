// A program that takes the whole screen: vim, or where there is none a few lines of Python that draw on the alternate screen too.
import { spawnSync } from 'node:child_process';

export interface FullScreen {
  readonly command: string;
  /** What the screen shows when it has started. */
  readonly first: RegExp;
  /** Is typed then, and seen. */
  readonly typed: string;
  readonly then: RegExp;
}

const VIM: FullScreen = { command: 'vim -u NONE -i NONE -n', first: /~\n~\n/, typed: 'ihello', then: /^hello\n~\n/ };
const DRAWS = 'import sys,tty; tty.setcbreak(0); w=sys.stdout.write; w("\\x1b[?1049h\\x1b[Hready"); sys.stdout.flush(); w("\\x1b[2J\\x1b[H"+sys.stdin.read(5)); sys.stdout.flush(); sys.stdin.read()';
const PYTHON: FullScreen = { command: `python3 -c '${DRAWS}'`, first: /^ready$/, typed: 'hello', then: /^hello$/ };

export const FULL_SCREEN = spawnSync('vim', ['--version']).status === 0 ? VIM : PYTHON;
