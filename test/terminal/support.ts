// What the tests of the screen share.
import { Screen } from '../../src/terminal/screen.ts';
import type { ScreenView } from '../../src/terminal/screen.ts';

export interface Shown extends ScreenView {
  readonly replies: string;
}

/** What a screen of 20 by 5 shows after pieces of output. */
export async function show(pieces: readonly (string | Buffer)[], size: { readonly cols: number; readonly rows: number } = { cols: 20, rows: 5 }): Promise<Shown> {
  let replies = '';
  const screen = new Screen({ ...size, onReply: (text) => { replies += text; } });
  for (const piece of pieces) await screen.write(Buffer.from(piece));
  const view = screen.view();
  screen.dispose();
  return { ...view, replies };
}

/**
 * The longest time in ms that work keeps the event loop from anything else. In time of the processor: on a machine that is busy
 * otherwise, time goes by in which nothing of ours runs.
 */
export async function longestBlockMs(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let isOver = false;
  let last = process.cpuUsage();
  const measure = (): void => {
    const { user, system } = process.cpuUsage(last);
    longest = Math.max(longest, (user + system) / 1_000);
    last = process.cpuUsage();
  };
  const look = (): void => {
    measure();
    if (!isOver) setImmediate(look);
  };
  setImmediate(look);
  await work();
  measure(); // the work may have ended in its longest block
  isOver = true;
  return longest;
}
