// Whether this is the Windows Subsystem for Linux, and how that shows the drives of Windows.
import { readFileSync } from 'node:fs';
import * as os from 'node:os';
import { mountRootIn, USUAL_VIEW, type WindowsView } from '../lib/windows-path.ts';

/** Its kernel says so: `5.15.167.4-microsoft-standard-WSL2`; WSL 1 writes it with a capital letter. */
export function isWsl(release: string = os.release()): boolean {
  return /microsoft/i.test(release);
}

export interface WindowsSources {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Of the kernel; this machine's when absent. */
  readonly release?: string;
  /** The file in which WSL is told where to mount the drives. */
  readonly configuration?: string;
}

/** A container may run on such a kernel and have neither the file nor the variable: then the drives are where they usually are. */
export function windowsView({ env, release, configuration = '/etc/wsl.conf' }: WindowsSources): WindowsView {
  if (!isWsl(release)) return USUAL_VIEW;
  return { mountRoot: mountRootIn(textOf(configuration)) ?? USUAL_VIEW.mountRoot, distribution: env['WSL_DISTRO_NAME'] };
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return ''; // it need not exist
  }
}
