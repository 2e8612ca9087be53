// What the system says of itself and of the account that the server runs as.
import { readFileSync } from 'node:fs';
import * as os from 'node:os';
import { isWsl } from '../process/windows-view.ts';

type Environment = Readonly<Record<string, string | undefined>>;

export interface HostFacts {
  /** `Debian GNU/Linux 12 (bookworm)` */
  readonly os: string;
  /** `Linux 6.1.0-18-amd64` */
  readonly kernel: string;
  /** The machine's: `x86_64`, `aarch64`. */
  readonly arch: string;
  /** Windows Subsystem for Linux. */
  readonly wsl: boolean;
  readonly node: string;
  readonly user: string;
  readonly locale: string | undefined;
}

const OS_RELEASE = ['/etc/os-release', '/usr/lib/os-release'];

export function hostFacts(env: Environment): HostFacts {
  const kernel = `${os.type()} ${os.release()}`;
  return {
    os: OS_RELEASE.map(prettyName).find((name) => name !== undefined) ?? kernel,
    kernel,
    arch: os.machine(),
    wsl: isWsl(),
    node: process.version,
    user: userName(env),
    locale: [env['LC_ALL'], env['LC_CTYPE'], env['LANG']].find((value) => value !== undefined && value !== ''),
  };
}

/** See os-release(5): a value may stand in quotes. */
export function prettyNameIn(text: string): string | undefined {
  const value = /^PRETTY_NAME=(.*)$/m.exec(text)?.[1]?.trim();
  const unquoted = value?.replace(/^(["'])(.*)\1$/, '$2').replaceAll(/\\(["'`$\\])/g, '$1');
  return unquoted === '' ? undefined : unquoted;
}

function prettyName(path: string): string | undefined {
  try {
    return prettyNameIn(readFileSync(path, 'utf8'));
  } catch {
    return undefined; // not on this system
  }
}

/** A container may run under a user id that no account has. */
function userName(env: Environment): string {
  try {
    return os.userInfo().username;
  } catch {
    return env['USER'] || `uid ${process.getuid?.() ?? '?'}`;
  }
}
