// Who may change what a server allows.
import { StartError } from '../config/start-error.ts';
import { isTaggedProcess } from '../process/tag.ts';

/** What runs in a session, a run or a task was started by an agent, which may not widen its own limits. Throws StartError naming what it cannot do. */
export function refuseAgents(what: string): void {
  if (isTaggedProcess(process.pid)) throw new StartError(`this is for a person in a terminal of their own: what a shellkeep server started cannot ${what}`);
}
