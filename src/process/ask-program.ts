// Asks a program something that it answers at once, e.g. its version: nothing to read, no terminal, an answer of bounded size, and an
// end in bounded time whatever it does.
import type { ExitStatus } from './exit-status.ts';
import type { Launcher } from './launcher.ts';
import type { ProgramRequest } from './command-line.ts';
import { signalGroup } from './terminate.ts';

/** What a program answered. One that did not end in time, or had no end of its output, has not answered. */
export type Reply =
  | { readonly kind: 'ended'; readonly status: ExitStatus; readonly stdout: Buffer; readonly stderr: Buffer }
  | { readonly kind: 'hung' }
  | { readonly kind: 'flooded' };

export interface ReplyLimits {
  readonly limitMs: number;
  /** Of each stream. */
  readonly limitBytes: number;
}

/** For what SIGKILL does not end: another user's program, or one that is stuck in the kernel. It is not waited for. */
const KILL_LIMIT_MS = 500;

/**
 * Starts a program and waits for its end. Its process group is ended with it when it takes too long or says too much; who carries its
 * tag and has left that group is the caller's to end. Throws what the launcher throws when it cannot be started.
 */
export async function askProgram(launcher: Pick<Launcher, 'startProgram'>, program: ProgramRequest, limits: ReplyLimits): Promise<Reply> {
  let finish: (reply: Reply) => void = () => undefined;
  const replied = new Promise<Reply>((resolve) => (finish = resolve));
  let failure: Exclude<Reply['kind'], 'ended'> | undefined;
  const giveUp = (kind: Exclude<Reply['kind'], 'ended'>): void => {
    if (failure !== undefined) return;
    failure = kind;
    signalGroup(child.leader, 'SIGKILL');
    setTimeout(() => finish({ kind }), KILL_LIMIT_MS).unref();
  };
  const [stdout, stderr] = [new Collected(limits.limitBytes, () => giveUp('flooded')), new Collected(limits.limitBytes, () => giveUp('flooded'))];
  const child = await launcher.startProgram(program, {
    onStdout: (chunk) => stdout.add(chunk),
    onStderr: (chunk) => stderr.add(chunk),
    onEnd: (status) => finish(failure === undefined ? { kind: 'ended', status, stdout: stdout.bytes, stderr: stderr.bytes } : { kind: failure }),
  });
  const timer = setTimeout(() => giveUp('hung'), limits.limitMs);
  return replied.finally(() => clearTimeout(timer));
}

/** The beginning of a stream. */
class Collected {
  readonly #limitBytes: number;
  readonly #onFull: () => void;
  readonly #chunks: Buffer[] = [];
  #length = 0;

  constructor(limitBytes: number, onFull: () => void) {
    this.#limitBytes = limitBytes;
    this.#onFull = onFull;
  }

  get bytes(): Buffer {
    return Buffer.concat(this.#chunks);
  }

  add(chunk: Buffer): void {
    this.#length += chunk.length;
    if (this.#length > this.#limitBytes) this.#onFull();
    else this.#chunks.push(chunk);
  }
}
