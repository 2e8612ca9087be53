// Listening on a Unix socket that only this user can reach.
import { chmodSync, lstatSync, rmSync, type Stats } from 'node:fs';
import type { Server } from 'node:net';
import { StartError } from '../config/start-error.ts';
import { answers } from '../process/serve-claim.ts';

/** The kernel's bound of a socket's path, the final zero included: sockaddr_un, unix(7). */
const MAX_PATH_BYTES = process.platform === 'linux' ? 107 : 103;
const OTHERS = 0o177;

/**
 * Listens there with mode 0600. A socket that a dead server left is replaced; anything else in its place is not touched.
 * @throws StartError that says what is in the way
 */
export async function listenPrivately(server: Server, path: string): Promise<void> {
  if (Buffer.byteLength(path) > MAX_PATH_BYTES) throw new StartError(`socket = "${path}": a path of a Unix socket has at most ${MAX_PATH_BYTES} bytes; set a shorter one`);
  await makeWay(path);
  const mask = process.umask(OTHERS); // it is made at once, before this turn is over
  const listening = new Promise<void>((resolve, reject) => {
    server.once('listening', resolve);
    server.once('error', reject);
    server.listen(path);
  });
  process.umask(mask);
  try {
    await listening;
    chmodSync(path, 0o600); // where a file system has ways of its own
  } catch (error) {
    throw new StartError(`socket = "${path}": ${error instanceof Error ? error.message : String(error)}`);
  }
}

async function makeWay(path: string): Promise<void> {
  const entry = lookAt(path);
  if (entry === undefined) return;
  const fault = faultOf(entry);
  if (fault !== undefined) throw new StartError(`socket = "${path}": what is there ${fault}; remove it, or set another socket`);
  if (await answers(path)) throw new StartError(`socket = "${path}": another process listens there, as a server of another home does; set another socket (--socket PATH)`);
  rmSync(path, { force: true });
}

function faultOf(entry: Stats): string | undefined {
  if (entry.isSymbolicLink()) return 'is a symbolic link';
  if (!entry.isSocket()) return 'is no socket';
  return entry.uid === process.getuid?.() ? undefined : `belongs to another user (uid ${entry.uid})`;
}

function lookAt(path: string): Stats | undefined {
  try {
    return lstatSync(path);
  } catch {
    return undefined; // nothing is there, or listening says why that cannot be seen
  }
}
