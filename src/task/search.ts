// A search through both streams of a task. Nothing counts as read by it.
import type { Pattern } from '../lib/pattern.ts';
import { searchOutput } from '../output/search.ts';
import type { SearchOptions } from '../output/search.ts';
import type { PollOptions, StreamMatch } from './api.ts';
import type { StreamReader } from './reader.ts';

export interface TaskSearch extends Pick<PollOptions, 'stdoutCursor' | 'stderrCursor' | 'maxOutputBytes'> {
  readonly pattern: Pattern;
  readonly contextLines: number;
}

export interface Found {
  readonly matches: readonly StreamMatch[];
  readonly matchesTotal: number;
  readonly truncated: { readonly stdout: boolean; readonly stderr: boolean };
}

export interface Streams {
  readonly stdout: StreamReader;
  readonly stderr: StreamReader;
}

/** The lines of stdout that match, then those of stderr. Throws INVALID_ARGUMENT for a cursor behind the end, or the signal's reason. */
export async function searchStreams(streams: Streams, search: TaskSearch, limits: Pick<SearchOptions, 'finished' | 'signal'>): Promise<Found> {
  const { pattern, contextLines, maxOutputBytes: maxBytes } = search;
  const from = { stdout: offsetOf(streams.stdout, search.stdoutCursor), stderr: offsetOf(streams.stderr, search.stderrCursor) };
  const stdout = await searchOutput(streams.stdout.log, pattern, { ...limits, contextLines, maxBytes, from: from.stdout });
  const stderr = await searchOutput(streams.stderr.log, pattern, { ...limits, contextLines, maxBytes, from: from.stderr });
  return {
    matches: [
      ...stdout.matches.map((match): StreamMatch => ({ stream: 'stdout', ...match })),
      ...stderr.matches.map((match): StreamMatch => ({ stream: 'stderr', ...match })),
    ],
    matchesTotal: stdout.total + stderr.total,
    truncated: { stdout: stdout.truncated, stderr: stderr.truncated },
  };
}

function offsetOf(reader: StreamReader, cursor: number | undefined): number | undefined {
  return cursor === undefined ? undefined : reader.offsetOf(cursor);
}
