// A small process that outlives this one: when the server is killed with -9, it ends everything that the server started
// and removes its folder. It sees what carries the server's tags; what escapes even it, the next server's start sweeps.
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { RuntimeDir } from './runtime-dir.ts';
import type { TagSpace } from './tag.ts';
import { withoutFds } from './without-fds.ts';

/**
 * Waits for the end of the pipe that only the server holds, and costs no more than a sh until then. The process stays the
 * same when it becomes node, so the sweep knows itself. Signals meant for the server's terminal do not concern it.
 */
const WAIT_SCRIPT = 'trap "" HUP INT QUIT TERM; read -r nothing || exec "$0" "$@"';
/** A command that kills it (`pkill sh`) a few times is a mistake; more often it is meant. */
const MOST_RESTARTS = 5;

export interface WatchdogOptions {
  readonly tags: TagSpace;
  readonly runtimeDir: RuntimeDir;
}

export class Watchdog {
  readonly #options: WatchdogOptions;
  #child: ChildProcess | undefined;
  #restarts = 0;
  #isStopped = false;

  private constructor(options: WatchdogOptions) {
    this.#options = options;
  }

  /** Starts one. Takes about 1 ms; a system that cannot start it is left without. */
  static start(options: WatchdogOptions): Watchdog {
    const watchdog = new Watchdog(options);
    watchdog.#launch();
    return watchdog;
  }

  /** Its process; undefined when there is none. It may carry the server's tag: a sweep of the server's own has to spare it. */
  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** Ends it without a sweep. The server has ended everything itself. */
  stop(): void {
    this.#isStopped = true;
    this.#child?.kill('SIGKILL');
  }

  #launch(): void {
    const child = this.#spawn();
    this.#child = child;
    child.on('error', () => {
      this.#child = undefined; // no process to be had
    });
    child.on('exit', () => {
      this.#child = undefined;
      if (!this.#isStopped && this.#restarts++ < MOST_RESTARTS) this.#launch();
    });
    child.unref();
  }

  #spawn(): ChildProcess {
    const { tags, runtimeDir } = this.#options;
    const main = fileURLToPath(new URL('./watchdog-main.js', import.meta.url));
    const wait = ['/bin/sh', '-c', WAIT_SCRIPT, process.execPath, main, String(tags.serverBits), runtimeDir.path] as const;
    const [file, ...args] = withoutFds(wait); // a terminal's master in its hands would keep that terminal from hanging up when the server dies
    // a POSIX session of its own: no signal to the server's group or terminal reaches it. No folder is kept busy.
    const child = spawn(file, args, { detached: true, cwd: '/', env: {}, stdio: ['pipe', 'ignore', 'ignore'] });
    child.stdin?.on('error', () => undefined); // nothing is ever written
    return child;
  }
}
