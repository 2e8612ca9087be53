// A home of its own for each server under test: rc files as fixtures, private directories for temporary files, and a clean environment.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { markEnvironment } from './processes.ts';
import { findProgram, type TestedShell } from './shells.ts';

/** Where each shell looks for the user's own file, below the home directory. */
const RC_FILE: Readonly<Record<TestedShell, string>> = {
  bash: '.bashrc',
  zsh: '.zshrc',
  fish: '.config/fish/config.fish',
};

export class Home {
  /** Everything is below it. */
  readonly root: string;
  readonly dir: string;
  /** What the server gets as TMPDIR. */
  readonly temporary: string;
  /** What the server gets as XDG_RUNTIME_DIR. */
  readonly runtime: string;

  constructor(name = 'home') {
    this.root = mkdtempSync(path.join(tmpdir(), 'shellkeep-test-'));
    this.dir = this.#makeDir(name);
    this.temporary = this.#makeDir('tmp');
    this.runtime = this.#makeDir('run');
    // Without this directory fish starts a program in the background that reads all manual pages.
    this.write('.local/share/fish/generated_completions/.keep', '');
  }

  /** Writes a file below the home directory and gives its absolute path. */
  write(name: string, text: string): string {
    const file = path.join(this.dir, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
    return file;
  }

  /** Makes `text` the user's rc file of that shell. */
  writeRc(shell: TestedShell, text: string): string {
    return this.write(RC_FILE[shell], text);
  }

  /** As little as a client gives a server that it starts, with this home; of the test runner's own environment only the search path. */
  environment(): Record<string, string> {
    return {
      PATH: searchPath(),
      HOME: this.dir,
      USER: 'tester',
      LOGNAME: 'tester',
      SHELL: findProgram('bash') ?? '/bin/sh',
      LANG: 'C.UTF-8',
      TMPDIR: this.temporary,
      XDG_RUNTIME_DIR: this.runtime,
      ...markEnvironment(),
    };
  }

  remove(): void {
    rmSync(this.root, { recursive: true, force: true, maxRetries: 3 });
  }

  #makeDir(name: string): string {
    const dir = path.join(this.root, name);
    mkdirSync(dir, { mode: 0o700 });
    return dir;
  }
}

/** Without the folders that npm and npx put in front for what they run. */
function searchPath(): string {
  const folders = (process.env['PATH'] ?? '').split(path.delimiter);
  return folders.filter((folder) => !/node_modules\/\.bin$|node-gyp-bin$/.test(folder)).join(path.delimiter);
}
