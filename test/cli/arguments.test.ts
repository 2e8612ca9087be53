import { expect, test } from 'vitest';
import { parseCommandLine } from '../../src/cli/arguments.ts';
import { StartError } from '../../src/config/start-error.ts';

test.each<[string[], object]>([
  [[], { command: undefined, words: [], flags: {} }],
  [['stdio'], { command: 'stdio', words: [], flags: {} }],
  [['--max-tasks', '5'], { command: undefined, words: [], flags: { max_tasks: '5' } }],
  [['--max-tasks=5', 'stdio', '--results', 'text'], { command: 'stdio', words: [], flags: { max_tasks: '5', results: 'text' } }],
  [['--max-tasks', '5', '--max-tasks', '6'], { command: undefined, words: [], flags: { max_tasks: '6' } }],
  [['--login', 'config'], { command: 'config', words: [], flags: { login: 'true' } }],
  [['--login=false'], { command: undefined, words: [], flags: { login: 'false' } }],
  [['--no-quiet-env'], { command: undefined, words: [], flags: { quiet_env: 'false' } }],
  [['run', '--', 'ls', '-la', '--help'], { command: 'run', words: ['ls', '-la', '--help'], flags: {} }],
  [['run', '--run-shell', 'zsh', '--', 'echo $0'], { command: 'run', words: ['echo $0'], flags: { run_shell: 'zsh' } }],
  [['run', 'true'], { command: 'run', words: ['true'], flags: {} }],
  [['--help'], { command: 'help', words: [], flags: {} }],
  [['-h'], { command: 'help', words: [], flags: {} }],
  [['--version'], { command: 'version', words: [], flags: {} }],
  [['run', '--help'], { command: 'help', words: [], flags: {} }],
  [['trust', '-h'], { command: 'help', words: [], flags: {} }],
  [['classify', 'ls', '--help'], { command: 'help', words: [], flags: {} }],
  [['-V'], { command: 'version', words: [], flags: {} }],
])('%j is understood', (argv, commandLine) => {
  expect(parseCommandLine(argv)).toEqual(commandLine);
});

test.each<[string[], string]>([
  [['--max-task', '5'], 'no flag "--max-task"; did you mean "--max-tasks"?'],
  [['--maxTasks=5'], 'no flag "--maxTasks"; did you mean "--max-tasks"?'],
  [['--frobnicate'], 'no flag "--frobnicate"; --help lists them'],
  [['-x'], 'no flag "-x"; --help lists them'],
  [['--no-max-tasks'], 'no flag "--no-max-tasks"; did you mean "--max-tasks"?'],
  [['--max-tasks'], '--max-tasks needs a value'],
  [['--rule', 'x'], 'no flag "--rule"; rules are tables [[rule]] in the configuration file'],
  [['--rule=x'], 'no flag "--rule"; rules are tables [[rule]] in the configuration file'],
  [['studio'], 'no command "studio"; did you mean "stdio"?'],
  [['frobnicate'], 'no command "frobnicate"; --help lists them'],
  [['stdio', 'now'], 'stdio takes no argument "now"'],
  [['--', 'ls'], 'no command "ls"; --help lists them'],
])('%j stops the start', (argv, message) => {
  expect(() => parseCommandLine(argv)).toThrow(new StartError(message));
});
