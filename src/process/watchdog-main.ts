// What the watchdog becomes when its server is dead. Arguments: the server's bits, its folder.
import { removeServerFiles } from './runtime-dir.ts';
import { TagSpace } from './tag.ts';
import { terminate } from './terminate.ts';

/** Servers and databases get this long to end in order; all is over in less than three seconds. */
const GRACE_MS = 500;

const [serverBits, runtimeDir] = process.argv.slice(2);
if (serverBits !== undefined && runtimeDir !== undefined) {
  await terminate({ tag: new TagSpace(BigInt(serverBits)) }, { graceMs: GRACE_MS, first: ['SIGHUP', 'SIGTERM'] });
  removeServerFiles(runtimeDir);
}
