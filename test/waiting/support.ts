// What the tests of waiting share: a watch that a test can await, and ports of servers on loopback.
import type { AddressInfo, Server } from 'node:net';
import { onTestFinished } from 'vitest';
import { UntilWatch } from '../../src/waiting/until.ts';
import type { Until, UntilTarget } from '../../src/waiting/until.ts';

export interface Watched {
  readonly watch: UntilWatch;
  /** Resolves when it is satisfied. */
  readonly satisfied: Promise<void>;
}

/** A watch that ends with the test. */
export async function watchFor(until: Until, target: Partial<UntilTarget> = {}): Promise<Watched> {
  let resolve = (): void => undefined;
  const satisfied = new Promise<void>((done) => { resolve = done; });
  const watch = await UntilWatch.start(until, { outputs: [], isFinished: () => false, ...target }, resolve);
  onTestFinished(() => watch.stop());
  return { watch, satisfied };
}

/** Starts to listen, at port 0 on a port that is free; resolves with the port. The server closes with the test. */
export async function listening(server: Server, host = '127.0.0.1', port = 0): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  onTestFinished(() => { server.close(); });
  return (server.address() as AddressInfo).port;
}

/** A port on which nobody listens. */
export async function freePort(server: Server): Promise<number> {
  const port = await listening(server);
  await new Promise((resolve) => server.close(resolve));
  return port;
}
