// Whether what is typed into a session answers a question for a secret: then it is nowhere kept.
import { readTerminalMode } from '../process/terminal-mode.ts';
import { kindOf, kindOfFishRead, promptOf } from './awaiting.ts';
import type { Command } from './command.ts';
import type { LiveShell } from './live-shell.ts';
import type { Session } from './session.ts';

/** As the terminal is at this moment; a terminal that does not say counts as one that hides what is typed. */
export async function asksForSecret({ options, terminal }: Session, command: Command, live: LiveShell): Promise<boolean> {
  if (terminal.awaiting?.kind === 'secret') return true;
  if (options.shell.name === 'fish' && kindOfFishRead(command.text) === 'secret') return true;
  const mode = await readTerminalMode(live.terminalPath);
  return mode === undefined || kindOf(mode, promptOf(command)) === 'secret';
}
