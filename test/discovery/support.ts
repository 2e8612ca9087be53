// A discovery on a kernel of its own, with a folder of programs that a test writes.
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Discovery, type DiscoveryServices } from '../../src/discovery/discovery.ts';
import { Turns } from '../../src/lib/turns.ts';
import { environment, Kernel } from '../process/support.ts';

export class Machine {
  readonly kernel = new Kernel();
  /** First on the search path. */
  readonly bin = join(this.kernel.root, 'bin');
  readonly turns: Turns;
  readonly discovery: Discovery;

  constructor({ max = 8, ...services }: Partial<DiscoveryServices> & { readonly max?: number } = {}) {
    mkdirSync(this.bin);
    this.turns = new Turns(max);
    const { launcher, tags } = this.kernel;
    const baseEnvironment = { ...environment, PATH: `${this.bin}:/usr/bin:/bin` };
    this.discovery = new Discovery({ launcher, tags, turns: this.turns.of('local'), baseEnvironment, mayRun: () => Promise.resolve(true), ...services });
  }

  /** Writes a program of sh that notes each start with its arguments. */
  program(name: string, script: string, folder = this.bin): string {
    mkdirSync(folder, { recursive: true });
    const file = join(folder, name);
    writeFileSync(file, `#!/bin/sh\necho "$*" >>'${file}.asked'\n${script}\n`);
    chmodSync(file, 0o755);
    return file;
  }

  /** With what a program was started. */
  asked(file: string): string[] {
    return existsSync(`${file}.asked`) ? readFileSync(`${file}.asked`, 'utf8').trimEnd().split('\n') : [];
  }

  async version(name: string): Promise<string | undefined> {
    return (await this.discovery.which(name, '/')).version;
  }

  close(): Promise<void> {
    return this.kernel.close();
  }
}
