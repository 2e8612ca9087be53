#!/usr/bin/env node
// The program. A client of the running server starts with almost nothing loaded: it is started with each client, many times a day.
import { StartError } from './config/start-error.ts';
import { ExpectedError } from './errors.ts';

const START_ERROR_STATUS = 2;

try {
  const [command, ...words] = process.argv.slice(2);
  if (command === 'connect' && !words.some(asksForHelp)) process.exitCode = await (await import('./cli/connect.ts')).connect({ words, env: process.env });
  else if (command === 'hook') await (await import('./cli/hook.ts')).hook({ env: process.env });
  else await (await import('./cli/main.ts')).main(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof StartError || error instanceof ExpectedError)) throw error;
  process.stderr.write(`shellkeep: ${error.message}\n`);
  process.exitCode = START_ERROR_STATUS;
}

/** What every command takes. */
function asksForHelp(word: string): boolean {
  return ['--help', '-h', '--version', '-V'].includes(word);
}
