// Reads a shell's list of jobs.
import type { SessionShellName } from './shell.ts';

export interface Job {
  /** The shell's number of the job, as in `%1`. */
  readonly job: number;
  /** Process id of its first process; the group's id in fish. */
  readonly pid: number;
  /** `running`, `stopped`, or the shell's own word in lower case. */
  readonly state: string;
  readonly command: string;
}

/** The jobs that still live; ended ones, which a shell lists once more, are left out. */
export function parseJobs(shell: SessionShellName, text: string): Job[] {
  if (text === '') return [];
  return [...withWholePipelines(shell, text).matchAll(LINES[shell])].flatMap((match) => {
    const { job, pid, state = '', command = '' } = match.groups ?? {};
    const word = state.trim().toLowerCase();
    if (pid === undefined || !isAlive(shell, word)) return [];
    return [{ job: Number(job), pid: Number(pid), state: stateName(word), command: nameOf(shell, command.trim()) }];
  });
}

/** Without the "&" behind it, and without the directory that bash adds when the shell has left it since. */
function nameOf(shell: SessionShellName, command: string): string {
  const directory = shell === 'bash' && command.endsWith(')') ? command.lastIndexOf('  (wd: ') : -1;
  return (directory === -1 ? command : command.slice(0, directory)).replace(/ &$/, '');
}

/** What stands between two programs of one pipeline: bash and zsh list each on a line of its own. */
const PIPES: Readonly<Partial<Record<SessionShellName, RegExp>>> = {
  bash: /\n +\d+ [^|\n]*\| /g,
  zsh: / \| ?\n +\d+ (?:suspended \([^)]*\)|exit \d+|\S+) +/g,
};

function withWholePipelines(shell: SessionShellName, text: string): string {
  const pipe = PIPES[shell];
  return pipe === undefined ? text : text.replace(pipe, ' | ');
}

/**
 * bash `[1]+  1234 Running                 sleep 300 &`, zsh `[1]  + 1234 running    sleep 300`,
 * fish (tabs) `1<TAB>1234<TAB>0%<TAB>running<TAB>sleep 300 &`.
 */
const LINES: Readonly<Record<SessionShellName, RegExp>> = {
  bash: /^\[(?<job>\d+)\][+-]?\s+(?<pid>\d+) (?<state>(?:Stopped \([^)]*\)|Exit \d+|\S+(?: \([^)]*\))?))\s+(?<command>.*)$/gm,
  zsh: /^\[(?<job>\d+)\]\s+[+-]?\s*(?<pid>\d+) (?<state>suspended \([^)]*\)|exit \d+|\S+)\s+(?<command>.*)$/gm,
  fish: /^(?<job>\d+)\t(?<pid>\d+)\t(?:[^\t]*%\t)?(?<state>[^\t]*)\t(?<command>.*)$/gm,
};

/** How a job ended may be any signal's description; what lives is one of three words. fish lists only what lives. */
function isAlive(shell: SessionShellName, word: string): boolean {
  return shell === 'fish' || /^(?:running|stopped|suspended)/.test(word);
}

function stateName(word: string): string {
  return word.startsWith('stopped') || word.startsWith('suspended') ? 'stopped' : word;
}
