// `shellkeep stdio`: serves the client that started this process, until it goes away.
import type { App } from '../app.ts';
import type { Settings } from '../config/schema.ts';
import { packageVersion } from '../config/version.ts';
import type { Log } from '../lib/logger.ts';
import { createServer } from '../mcp/server.ts';
import { StdioTransport } from '../mcp/stdio.ts';
import { catalogue } from '../tools/catalogue.ts';
import { handleFaults } from './faults.ts';
import { onEndSignal } from './signals.ts';

/** Whom everything belongs to where there is one client. */
const OWNER = 'local';

export interface StdioOptions {
  readonly app: App;
  readonly settings: Settings;
  readonly log: Log;
}

/** Serves until the end of standard input or a signal, and ends everything that was started. Resolves to the exit status. */
export function serveStdio({ app, settings, log }: StdioOptions): Promise<number> {
  const output = reservedStdout();
  return new Promise((resolve, reject) => {
    const end = (status: number): void => void app.shutdown().then(() => resolve(status), reject);
    const server = createServer({
      tools: catalogue(settings),
      results: settings.results,
      version: packageVersion(),
      owner: OWNER,
      connection: 'stdio',
      services: () => app.services(),
      audit: () => app.audit(),
      log,
      onClose: () => end(0),
    });
    server.onerror = (error) => log(error.message);
    onEndSignal(end);
    handleFaults(log, end);
    server.connect(new StdioTransport({ input: process.stdin, output })).catch(reject);
  });
}

/** Standard output for the protocol alone: from now on whatever else writes to it, console.log included, goes to standard error. */
function reservedStdout(): NodeJS.WriteStream {
  const { stdout, stderr } = process;
  Object.defineProperty(process, 'stdout', { value: stderr });
  return stdout;
}
