// One pseudo-terminal with its child: raw bytes out, raw bytes in, and one end that comes after the last byte.
import { closeSync, constants, openSync } from 'node:fs';
import type { SocketConstructorOpts } from 'node:net';
import { ReadStream } from 'node:tty';
import type { ExitStatus } from './exit-status.ts';
import { statusOf } from './exit-status.ts';
import { hasHeadroom } from './headroom.ts';
import { addMaster, forkWithoutGaps, removeMaster } from './inherited-fds.ts';
import { forkPty, resizePty } from './native-pty.ts';
import type { Forked, ForkRequest } from './native-pty.ts';
import { readProcess } from './proc.ts';
import type { ProcessIdentity } from './proc.ts';
import { PtyInput } from './pty-input.ts';
import { PtyTail } from './pty-tail.ts';
import { exhausted, requireSpareDescriptors, startObstacle } from './start-check.ts';

export type PtyOptions = ForkRequest;

export interface PtyEvents {
  /** Raw bytes, in order. The buffer is the listener's. */
  onData(chunk: Buffer): void;
  /** Exactly once: after the child's death, and after the last byte it wrote. Nothing is delivered afterwards. */
  onEnd(status: ExitStatus): void;
}

export class Pty {
  /** The child: leader of the terminal's POSIX session and of the process group of the same number. */
  readonly leader: ProcessIdentity;
  /** /dev/pts/N on Linux, /dev/ttysN on macOS. */
  readonly terminalPath: string;
  /** The master. */
  readonly fd: number;
  readonly #events: PtyEvents;
  readonly #input: PtyInput;
  readonly #output: ReadStream;
  /**
   * A descriptor of the terminal's other side: the kernel forgets unread output when the last of them closes, and the
   * child's was the last in up to 30 % of the shells that exit right after printing.
   */
  readonly #slaveFd: number;
  #tail: PtyTail | undefined;
  #hasEnded = false;
  #isClosed = false;

  /**
   * Starts the program at once.
   * Throws INVALID_CWD, SHELL_NOT_FOUND, or RESOURCE_EXHAUSTED when there is no terminal, process or descriptor to be had.
   */
  constructor(options: PtyOptions, events: PtyEvents) {
    const obstacle = startObstacle(options.file, options.cwd);
    if (obstacle !== undefined) throw obstacle;
    requireSpareDescriptors();
    this.#events = events;
    const forked = fork(options, (code, signal) => this.#childDied(statusOf(code, signal)));
    this.fd = forked.fd;
    this.terminalPath = forked.pty;
    this.leader = readProcess(forked.pid) ?? { pid: forked.pid, startTime: 0 };
    this.#slaveFd = openSlave(forked);
    this.#output = readMaster(forked, this.#slaveFd, (chunk) => this.#received(chunk));
    addMaster(this.fd);
    this.#input = new PtyInput(this.fd, () => !this.#output.destroyed);
    this.#output.on('error', () => this.close()); // EIO: hung up although we hold the other side (vhangup by root)
    this.#output.resume();
  }

  get pid(): number {
    return this.leader.pid;
  }

  /** Bytes written that the kernel has not taken yet. */
  get pendingBytes(): number {
    return this.#input.pendingBytes;
  }

  /** Types bytes; false when they are refused as a whole: closed, or more than 1 MiB would wait for the program to read. */
  write(bytes: Buffer): boolean {
    return this.#input.write(bytes);
  }

  /** Stops reading: the program waits when the kernel's buffer is full. A dead child's last output flows all the same. */
  pause(): void {
    if (!this.#isClosed && this.#tail === undefined) this.#output.pause();
  }

  resume(): void {
    if (!this.#isClosed) this.#output.resume();
  }

  resize(cols: number, rows: number): void {
    if (!this.#isClosed) resizePty(this.fd, cols, rows);
  }

  /**
   * Closes both sides; the terminal hangs up, and a child that still lives gets SIGHUP. Nothing is written or read
   * afterwards; the end is still reported. Idempotent.
   */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#input.close();
    removeMaster(this.fd);
    this.#output.destroy(); // closes the master
    closeSync(this.#slaveFd);
    this.#tail?.finish();
  }

  #received(chunk: Buffer): void {
    if (this.#tail !== undefined) return this.#tail.push(chunk);
    this.#events.onData(chunk);
    if (this.#input.pendingBytes > 0) this.#input.flush(); // a program that writes has often read
  }

  #childDied(status: ExitStatus): void {
    const end = (): void => {
      if (this.#hasEnded) return;
      this.#hasEnded = true;
      this.#events.onEnd(status);
    };
    if (this.#isClosed) return end();
    this.#tail = new PtyTail(this.#slaveFd, { onData: (chunk) => this.#isClosed || this.#events.onData(chunk), onEnd: end });
    this.#output.resume();
  }
}

function fork(options: PtyOptions, onExit: (code: number, signal: number) => void): Forked {
  if (!hasHeadroom()) throw exhausted('process', undefined);
  try {
    return forkWithoutGaps(() => forkPty(options, onExit));
  } catch (error) {
    throw exhausted('process or terminal', error);
  }
}

function openSlave({ fd, pty }: Forked): number {
  try {
    return openSync(pty, constants.O_RDWR | constants.O_NOCTTY | constants.O_NONBLOCK);
  } catch (error) {
    closeSync(fd); // hangs up: the child goes by SIGHUP
    throw exhausted('descriptor', error);
  }
}

/** What all terminals are read into, one after the other: a stream of its own would take 64 KB for every few bytes. */
const readBuffer = Buffer.allocUnsafeSlow(64 * 1024);

function readMaster({ fd }: Forked, slaveFd: number, deliver: (chunk: Buffer) => void): ReadStream {
  const callback = (length: number): boolean => {
    deliver(Buffer.from(readBuffer.subarray(0, length)));
    return true;
  };
  try {
    // a terminal is a socket to node, and takes its options; its types do not know this one
    return new ReadStream(fd, { onread: { buffer: readBuffer, callback } } as SocketConstructorOpts);
  } catch (error) {
    closeSync(fd);
    closeSync(slaveFd);
    throw exhausted('descriptor', error);
  }
}
