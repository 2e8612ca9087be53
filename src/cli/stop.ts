// `shellkeep stop`: ends the server that `serve`, or a client's `connect`, has started.
import { setTimeout as sleep } from 'node:timers/promises';
import { stateDirectory } from '../config/paths.ts';
import { StartError } from '../config/start-error.ts';
import { isLiving } from '../process/proc.ts';
import { thisPlace } from '../process/runtime-dir.ts';
import { refuseAgents } from './agents.ts';
import { servingProcess } from '../process/serve-claim.ts';

/** It takes two seconds at most; the rest is for a machine with much to do. */
const LIMIT_MS = 10_000;
const LOOK_MS = 25;

/** What was done, with a newline. Throws StartError when it does not end, or is not to be ended from here. */
export async function stopText({ env }: { readonly env: NodeJS.ProcessEnv }): Promise<string> {
  refuseAgents('end a server');
  const directory = stateDirectory(env);
  const record = directory === undefined ? undefined : await servingProcess(directory);
  if (record === undefined) return 'no server runs\n';
  const { pid, place } = record;
  if (place.pidNamespace !== thisPlace().pidNamespace) throw new StartError(`the server runs in another container, where it is process ${pid}: end it there`);
  if (isLiving(record)) process.kill(pid, 'SIGTERM');
  for (const deadline = performance.now() + LIMIT_MS; isLiving(record); await sleep(LOOK_MS)) {
    if (performance.now() > deadline) throw new StartError(`process ${pid} has not ended in ${LIMIT_MS / 1_000} s`);
  }
  return `ended process ${pid}, with all sessions and tasks in it\n`;
}
