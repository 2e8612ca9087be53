// The commands: arguments in, exit status out. What a command needs is loaded when it is known which one it is.
import { parseCommandLine } from './arguments.ts';
import { loadSettings, strayVariables } from '../config/load.ts';
import { configFile, homeDirectory } from '../config/paths.ts';
import type { Settings } from '../config/schema.ts';
import { StartError } from '../config/start-error.ts';
import { createLog } from '../lib/logger.ts';
import { windowsView } from '../process/windows-view.ts';
import { startDirectory } from './start-directory.ts';

const log = createLog((text) => process.stderr.write(text));

/** Throws StartError and ExpectedError for what the person has to change. */
export async function main(argv: readonly string[]): Promise<void> {
  const { command = commandFor(argv), words, flags, isJson, isBackground } = parseCommandLine(argv);
  if (command === 'help') return print((await import('./help.ts')).helpText());
  if (command === 'version') return print(`shellkeep ${(await import('../config/version.ts')).packageVersion()}\n`);
  const { env } = process;
  const place = { env, home: homeDirectory(env), startDirectory: startDirectory(), windows: windowsView({ env }) };
  if (command === 'trust') return print(await (await import('./trust.ts')).trustText({ ...place, words }));
  if (command === 'untrust') return print((await import('./trust.ts')).untrustText({ ...place, words }));
  if (command === 'connect') throw new StartError('connect comes first, then the flags: shellkeep connect --profile strict');
  if (command === 'stop') return print(await (await import('./stop.ts')).stopText({ env }));
  if (command === 'token') return print((await import('./token.ts')).tokenText({ env, words }));
  if (command === 'hook') throw new StartError('hook comes first and takes no flags: shellkeep hook');
  if ((command === 'install' || command === 'uninstall') && words[0] === 'hook') return print((await import('./install-hook.ts')).hookInstallText({ ...place, action: command, words: words.slice(1) }));
  if (command === 'install' || command === 'uninstall') return print(await (await import('./install.ts')).installText({ action: command, words, env, stdin: process.stdin }));
  if (command === 'audit') return showAudit(words);
  const { settings, origins } = await loadSettings({ ...place, flags, configPath: configFile(env) });
  for (const line of strayVariables(env)) log(line);
  await checkRules(settings, place);
  if (command === 'config') return print((await import('./config.ts')).configText(settings, origins));
  if (command === 'classify') return print((await import('./classify.ts')).classifyText({ ...place, settings, words }));
  const app = new (await import('../app.ts')).App({ ...place, settings, origins, log });
  if (command === 'status') return print(await (await import('./status.ts')).statusText({ ...place, app, settings, origins, isJson }));
  process.exit(await served()); // an open standard input would keep the process alive

  async function served(): Promise<number> {
    if (command === 'run') return (await import('./run.ts')).runCommand({ ...place, app, settings, words });
    if (command === 'serve') return (await import('./serve.ts')).serve({ ...place, app, settings, log, print, isBackground });
    return (await import('./stdio.ts')).serveStdio({ app, settings, log });
  }
}

/** Rules of the policy that do not do what their examples say stop the start. */
async function checkRules({ rule: rules, runShell }: Settings, { home = '/', startDirectory }: { readonly home: string | undefined; readonly startDirectory: string }): Promise<void> {
  if (rules.length === 0) return;
  const fault = (await import('../policy/user-rule-check.ts')).faultOfRules(rules, { shell: runShell === 'fish' ? 'bash' : runShell, home, cwd: startDirectory });
  if (fault !== undefined) throw new StartError(fault);
}

/** A person who types the name alone wants to know what this is; a client that starts it wants to be served. */
function commandFor(argv: readonly string[]): 'help' | 'stdio' {
  return argv.length === 0 && process.stdin.isTTY ? 'help' : 'stdio';
}

/** Ends by itself when all is printed, or when nobody reads on. */
async function showAudit(words: readonly string[]): Promise<void> {
  process.stdout.on('error', () => process.exit());
  process.exitCode = await (await import('./audit.ts')).auditCommand({ words, env: process.env, write: print });
}

function print(text: string): void {
  process.stdout.write(text);
}
