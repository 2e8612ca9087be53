// How far the entries of one server have come on their way to one place. On the disk before the next ones go, so that a killed server sends at
// most its last batch again.
import { open, readFile, rename, rm } from 'node:fs/promises';
import { z } from 'zod';

const VERSION = 1;
const MAX_BYTES = 4_096;

const count = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);
const positionSchema = z.object({
  v: z.literal(VERSION),
  /** Segment, and the offset in it behind what has arrived. */
  number: count,
  offset: count,
  /** Number and time of the last entry that has arrived. */
  seq: count,
  time_ms: count,
  /** The newest that is known to be written: what is between the two and in no file any more was lost. */
  newest: count,
  /** Its server is dead, and nothing of it is left to be sent. */
  is_finished: z.boolean(),
});

export type Position = Readonly<Omit<z.output<typeof positionSchema>, 'v'>>;

export const START: Position = { number: 1, offset: 0, seq: 0, time_ms: 0, newest: 0, is_finished: false };

/** What stands in the file: nothing where there is none; a fault, as the end of a sentence, where it cannot be understood. */
export async function readPosition(path: string): Promise<{ readonly position?: Position; readonly fault?: string }> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ENOENT' ? {} : { fault: `cannot be read: ${error instanceof Error ? error.message : String(error)}` };
  }
  const parsed = positionSchema.safeParse(text.length > MAX_BYTES ? undefined : parsedJson(text));
  if (parsed.success) return { position: parsed.data };
  const { v } = z.object({ v: z.number() }).safeParse(parsedJson(text)).data ?? {};
  return { fault: v === undefined || v === VERSION ? 'is damaged' : `has version ${v}, this is ${VERSION}` };
}

/** As a whole or not at all. Rejects with what the disk says. */
export async function writePosition(path: string, position: Position): Promise<void> {
  const temporary = `${path}.tmp`;
  const file = await open(temporary, 'w', 0o600);
  try {
    await file.writeFile(`${JSON.stringify({ v: VERSION, ...position })}\n`);
    await file.datasync();
  } finally {
    await file.close();
  }
  await rename(temporary, path);
}

export async function removePosition(path: string): Promise<void> {
  await rm(path, { force: true });
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
