// node-pty's native part without its JavaScript: that one writes to a descriptor after it was closed (the number may be
// another session's by then), loses the end of the output of shells that exit at once, and reports the exit 200 ms late.
import { createRequire } from 'node:module';
import { dirname, resolve } from 'node:path';

/** What `fork` gives: a non-blocking master without close-on-exec, the child, and the terminal's path. */
export interface Forked {
  readonly fd: number;
  readonly pid: number;
  readonly pty: string;
}

/** The functions of pty.node (node-pty 1.2.0-beta.15, src/unix/pty.cc) that are used here. */
interface NativePty {
  fork(
    file: string,
    args: readonly string[],
    env: readonly string[],
    cwd: string,
    cols: number,
    rows: number,
    uid: number,
    gid: number,
    utf8: boolean,
    helperPath: string,
    onExit: (code: number, signal: number) => void,
  ): Forked;
  resize(fd: number, cols: number, rows: number, widthPixels: number, heightPixels: number): void;
}

interface NodePtyUtils {
  loadNativeModule(name: string): { dir: string; module: NativePty };
}

export interface ForkRequest {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly cols: number;
  readonly rows: number;
}

let loaded: { readonly native: NativePty; readonly helperPath: string } | undefined;

/**
 * Forks a child on a new terminal. `onExit` comes from a waitpid(2) thread: a signal other than 0 is what killed it.
 * A missing program or directory does not throw here (exit code 1 and a message on the terminal): check before.
 */
export function forkPty(request: ForkRequest, onExit: (code: number, signal: number) => void): Forked {
  const { native, helperPath } = load();
  const { file, args, env, cwd, cols, rows } = request;
  const pairs = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  return native.fork(file, args, pairs, cwd, cols, rows, -1, -1, true, helperPath, onExit);
}

/** Tells the terminal its size; its foreground group gets SIGWINCH when that is new. */
export function resizePty(fd: number, cols: number, rows: number): void {
  load().native.resize(fd, cols, rows, 0, 0);
}

/** Loaded when first needed: it costs the start of the server some milliseconds. */
function load(): { readonly native: NativePty; readonly helperPath: string } {
  if (loaded !== undefined) return loaded;
  const require = createRequire(import.meta.url);
  const utilsPath = require.resolve('node-pty/lib/utils.js');
  const { dir, module } = (require(utilsPath) as NodePtyUtils).loadNativeModule('pty');
  loaded = { native: module, helperPath: resolve(dirname(utilsPath), dir, 'spawn-helper') }; // only macOS uses the helper
  return loaded;
}
