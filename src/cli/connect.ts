// `shellkeep connect`: to its client a server over standard input and output; everything is handed to the server that runs for this user, and goes on
// there when the client leaves. It is started where there is none.
import { createLog } from '../lib/logger.ts';
import { Bridge } from './connect/bridge.ts';
import { reachServer } from './connect/reach.ts';
import { onEndSignal } from './signals.ts';
import { startDirectory } from './start-directory.ts';

export interface ConnectOptions {
  /** The command line after "connect": flags for a server that has to be started. */
  readonly words: readonly string[];
  readonly env: NodeJS.ProcessEnv;
}

/** Works until the client goes away, or a signal comes. Resolves to the exit status. Throws StartError when no server can be reached. */
export async function connect({ words, env }: ConnectOptions): Promise<number> {
  const { stdin: input, stdout: output } = process;
  const log = createLog((text) => process.stderr.write(text));
  process.stderr.on('error', () => {});
  output.on('error', () => process.exit(0)); // the client is gone
  onEndSignal((status) => process.exit(status));
  const bridge = new Bridge({ input, output, log, reach: () => reachServer({ env, flags: words, cwd: startDirectory(), log }) });
  await bridge.run();
  process.exit(0);
}
