#!/usr/bin/env node
// The program: arguments in, exit status out. What a command needs is loaded when it is known which one it is.
import { parseCommandLine } from './cli/arguments.ts';
import { loadSettings, strayVariables } from './config/load.ts';
import { configFile, homeDirectory } from './config/paths.ts';
import type { Settings } from './config/schema.ts';
import { StartError } from './config/start-error.ts';
import { ExpectedError } from './errors.ts';
import { createLog } from './lib/logger.ts';

const START_ERROR_STATUS = 2;
const log = createLog((text) => process.stderr.write(text));

try {
  await main(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof StartError || error instanceof ExpectedError)) throw error;
  log(error.message);
  process.exitCode = START_ERROR_STATUS;
}

async function main(argv: readonly string[]): Promise<void> {
  const { command = commandFor(argv), words, flags, isJson, isBackground } = parseCommandLine(argv);
  if (command === 'help') return print((await import('./cli/help.ts')).helpText());
  if (command === 'version') return print(`shellkeep ${(await import('./config/version.ts')).packageVersion()}\n`);
  const { env } = process;
  const place = { env, home: homeDirectory(env), startDirectory: startDirectory() };
  if (command === 'trust') return print(await (await import('./cli/trust.ts')).trustText({ ...place, words }));
  if (command === 'untrust') return print((await import('./cli/trust.ts')).untrustText({ ...place, words }));
  if (command === 'token') return print((await import('./cli/token.ts')).tokenText({ env, words }));
  if (command === 'audit') return showAudit(words);
  const { settings, origins } = await loadSettings({ ...place, flags, configPath: configFile(env) });
  for (const line of strayVariables(env)) log(line);
  await checkRules(settings, place);
  if (command === 'config') return print((await import('./cli/config.ts')).configText(settings, origins));
  if (command === 'classify') return print((await import('./cli/classify.ts')).classifyText({ ...place, settings, words }));
  const app = new (await import('./app.ts')).App({ ...place, settings, origins, log });
  if (command === 'status') return print(await (await import('./cli/status.ts')).statusText({ ...place, app, settings, origins, isJson }));
  process.exit(await served()); // an open standard input would keep the process alive

  async function served(): Promise<number> {
    if (command === 'run') return (await import('./cli/run.ts')).runCommand({ ...place, app, settings, words });
    if (command === 'serve') return (await import('./cli/serve.ts')).serve({ ...place, app, settings, log, print, isBackground });
    return (await import('./cli/stdio.ts')).serveStdio({ app, settings, log });
  }
}

/** Rules of the policy that do not do what their examples say stop the start. */
async function checkRules({ rule: rules, runShell }: Settings, { home = '/', startDirectory }: { readonly home: string | undefined; readonly startDirectory: string }): Promise<void> {
  if (rules.length === 0) return;
  const fault = (await import('./policy/user-rule-check.ts')).faultOfRules(rules, { shell: runShell === 'fish' ? 'bash' : runShell, home, cwd: startDirectory });
  if (fault !== undefined) throw new StartError(fault);
}

/** A person who types the name alone wants to know what this is; a client that starts it wants to be served. */
function commandFor(argv: readonly string[]): 'help' | 'stdio' {
  return argv.length === 0 && process.stdin.isTTY ? 'help' : 'stdio';
}

/** Ends by itself when all is printed, or when nobody reads on. */
async function showAudit(words: readonly string[]): Promise<void> {
  process.stdout.on('error', () => process.exit());
  process.exitCode = await (await import('./cli/audit.ts')).auditCommand({ words, env: process.env, write: print });
}

function print(text: string): void {
  process.stdout.write(text);
}

/** The directory may have been removed under us. */
function startDirectory(): string {
  try {
    return process.cwd();
  } catch {
    return '/';
  }
}
