import { expect, test } from 'vitest';
import { parseJobs, type Job } from '../../src/shell/jobs.ts';
import type { SessionShellName } from '../../src/shell/shell.ts';

const LISTS: Readonly<Record<SessionShellName, string>> = {
  bash: `[1]   1001 Running                 sleep 101 &
[2]   1002 Running                 sleep 102
      1003                       | cat &
[3]   1004 Running                 for i in 1;
do
    sleep 103;
done &
[4]-  1005 Stopped (signal)        sleep 105
[5]+  1006 Stopped (tty input)     cat
[6]   1007 Stopped                 vim 'a  b'
[7]   1008 Running                 cd /tmp && sleep 106 &  (wd: /tmp)
[8]   1009 Done                    sleep 0
[9]   1010 Exit 3                  sh -c 'exit 3'
[10]   1011 Segmentation fault      (core dumped) ./crash
[11]   1012 Killed                  sleep 110
[12]   1013 Broken pipe             yes
      1014 Done                    | head -n 1
[13]   1015 Running                 yes
      1016                       | head -n 1
      1017                       | cat &  (wd: /tmp/a (b))
[14]   1018 Stopped                 less notes  (wd: /tmp)
`,
  zsh: `[1]    1001 running    sleep 101
[2]    1002 running    sleep 102 |
       1003 running    cat
[3]    1004 running    for i in 1; do; sleep 103; done
[4]  - 1005 suspended (signal)  sleep 105
[5]  + 1006 suspended (tty input)  cat
[6]    1007 suspended  vim 'a  b'
[8]    1009 done       sleep 0
[9]    1010 exit 3     sh -c 'exit 3'
[10]    1011 segmentation fault (core dumped)  ./crash
[11]    1012 killed     sleep 110
[12]    1013 broken pipe  yes |
       1014 done         head -n 1
[13]    1015 running    yes | 
       1016 suspended (signal)  head -n 1 | 
       1017 running    cat
`,
  fish: '3\t1004\t0%\trunning\tsleep 103 &\n2\t1002\t100%\trunning\tsleep 102 | cat &\n6\t1007\t0%\tstopped\tvim \'a  b\'\n4\t1005\tstopped\tsleep 105\n',
};

test.each<[SessionShellName, readonly [number, number, string, string][]]>([
  ['bash', [
    [1, 1001, 'running', 'sleep 101'], [2, 1002, 'running', 'sleep 102 | cat'], [3, 1004, 'running', 'for i in 1;'], [4, 1005, 'stopped', 'sleep 105'],
    [5, 1006, 'stopped', 'cat'], [6, 1007, 'stopped', "vim 'a  b'"], [7, 1008, 'running', 'cd /tmp && sleep 106'],
    [13, 1015, 'running', 'yes | head -n 1 | cat'], [14, 1018, 'stopped', 'less notes'],
  ]],
  ['zsh', [
    [1, 1001, 'running', 'sleep 101'], [2, 1002, 'running', 'sleep 102 | cat'], [3, 1004, 'running', 'for i in 1; do; sleep 103; done'],
    [4, 1005, 'stopped', 'sleep 105'], [5, 1006, 'stopped', 'cat'], [6, 1007, 'stopped', "vim 'a  b'"],
    [13, 1015, 'running', 'yes | head -n 1 | cat'],
  ]],
  ['fish', [[3, 1004, 'running', 'sleep 103'], [2, 1002, 'running', 'sleep 102 | cat'], [6, 1007, 'stopped', "vim 'a  b'"], [4, 1005, 'stopped', 'sleep 105']]],
])('%s lists the jobs that live, and those that have ended', (shell, living) => {
  const jobs: Job[] = living.map(([job, pid, state, command]) => ({ job, pid, state, command }));
  expect(parseJobs(shell, LISTS[shell])).toEqual(jobs);
});

test.each<[SessionShellName, string]>([['bash', ''], ['zsh', ''], ['fish', ''], ['fish', 'jobs: There are no jobs\n'], ['bash', 'bash: jobs: no job control\n']])('%s that says %j has none', (shell, text) => {
  expect(parseJobs(shell, text)).toEqual([]);
});
