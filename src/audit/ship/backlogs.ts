// What has to be sent to one place: this server's own entries, and what dead servers have left and nobody else sends.
import * as nodeFs from 'node:fs';
import { join } from 'node:path';
import { isUntouched, listSegments, makeDirectory, namesIn } from '../directory.ts';
import { describeProblem } from '../problem.ts';
import { hasEnded, parseWriterName, serverOf, writerName, type Writer } from '../segment-name.ts';
import { Backlog } from './backlog.ts';
import { claim, forgetClaims } from './claim.ts';
import { readPosition, removePosition, START, writePosition, type Position } from './position.ts';
import type { ShipHealth } from './ship-health.ts';

export interface BacklogsOptions {
  /** That of the log. */
  readonly directory: string;
  /** Short and without odd characters; the same for the same place, whichever server sends to it. */
  readonly key: string;
  readonly writer: Writer;
  readonly health: ShipHealth;
}

const POSITION = /^(.{1,60})\.json$/;
/** Why entries are lost. */
export const LOST = 'their files were removed or damaged before they could be sent';

export class Backlogs {
  readonly own: Backlog;
  readonly #options: BacklogsOptions;
  /** Of this place: positions and claims. */
  readonly #directory: string;
  #others: Backlog[] = [];
  #turn = -1;
  /** Dead servers of which nothing is left to be sent. */
  readonly #finished = new Set<string>();

  constructor(options: BacklogsOptions) {
    this.#options = options;
    this.#directory = join(options.directory, 'ship', options.key);
    this.own = new Backlog(options.writer, START, { fs: nodeFs, directory: options.directory });
  }

  get all(): readonly Backlog[] {
    return [this.own, ...this.#others];
  }

  /** The one that is asked first is another each time: a busy server would never come to what others have left. */
  inTurn(): readonly Backlog[] {
    const all = this.all;
    this.#turn = (this.#turn + 1) % all.length;
    return [...all.slice(this.#turn), ...all.slice(0, this.#turn)];
  }

  /** Takes over what dead servers have left, and forgets those of which there is nothing any more. */
  async look(): Promise<void> {
    try {
      for (const directory of [this.#options.directory, join(this.#options.directory, 'ship'), this.#directory]) makeDirectory(nodeFs, directory);
      const left = this.#left();
      for (const writer of left.values()) await this.#takeOver(writer);
      for (const name of [...this.#finished]) if (!left.has(name)) this.#finished.delete(name);
      await this.#forgetGone(left);
    } catch (error) {
      this.#options.health.onPositionFailure(describeProblem(error).message);
    }
  }

  /** Writes down how far it has come. */
  async keep(backlog: Backlog): Promise<void> {
    try {
      await writePosition(this.#path(backlog.writer), backlog.position);
      this.#options.health.onPositionKept();
    } catch (error) {
      this.#options.health.onPositionFailure(describeProblem(error).message);
    }
  }

  /** Everything of a dead server has gone out. */
  async finish(backlog: Backlog): Promise<void> {
    this.#options.health.onDropped(backlog.onFinished(), LOST);
    this.#finished.add(writerName(backlog.writer));
    this.#others = this.#others.filter((other) => other !== backlog);
    await backlog.close();
    await this.keep(backlog);
  }

  async close(): Promise<void> {
    for (const backlog of this.all) await backlog.close();
  }

  /** Dead servers that have segments, by name, the oldest first. */
  #left(): Map<string, Writer> {
    const segments = listSegments(nodeFs, this.#options.directory).filter(({ isOfDead }) => isOfDead).reverse();
    return new Map(segments.map(({ writer }) => [writerName(writer), writer]));
  }

  async #takeOver(writer: Writer): Promise<void> {
    const name = writerName(writer);
    if (this.#finished.has(name) || this.all.some(({ server }) => server === serverOf(writer))) return;
    const isFinished = async (): Promise<boolean> => (await readPosition(this.#path(writer))).position?.is_finished === true;
    if (await isFinished()) this.#finished.add(name);
    else if (claim(this.#directory, writer, this.#options.writer)) await this.#begin(writer);
  }

  async #begin(writer: Writer): Promise<void> {
    const { position, fault } = await readPosition(this.#path(writer)); // once more: another may have sent some of it until now
    if (position?.is_finished === true) return;
    if (fault !== undefined) this.#options.health.onNotice(`${this.#path(writer)} ${fault}: what is left of that server's audit log is sent from the beginning`);
    const backlog = new Backlog(writer, position, { fs: nodeFs, directory: this.#options.directory });
    await backlog.measure();
    this.#others.push(backlog);
  }

  /** Positions of dead servers whose files have all gone: what they had not sent is lost. */
  async #forgetGone(left: ReadonlyMap<string, Writer>): Promise<void> {
    const names = namesIn(nodeFs, this.#directory).flatMap((name) => POSITION.exec(name)?.[1] ?? []);
    for (const name of names) {
      const writer = parseWriterName(name);
      const isAbout = writer !== undefined && !left.has(name) && this.all.every(({ server }) => server !== serverOf(writer));
      if (!isAbout || !hasEnded(writer, () => isUntouched(nodeFs, this.#path(writer))) || !claim(this.#directory, writer, this.#options.writer)) continue;
      const { position } = await readPosition(this.#path(writer));
      if (position !== undefined) this.#options.health.onDropped(lostOf(position), LOST);
      await removePosition(this.#path(writer));
      forgetClaims(this.#directory, writer);
    }
  }

  #path(writer: Writer): string {
    return join(this.#directory, `${writerName(writer)}.json`);
  }
}

function lostOf({ is_finished: isFinished, newest, seq }: Position): number {
  return isFinished ? 0 : Math.max(0, newest - seq);
}
