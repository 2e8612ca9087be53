// A place that entries are sent to: what every kind of it takes and answers.

/** One line of the log on its way. */
export interface Shipment {
  /** As it is in the file. */
  readonly line: string;
  readonly bytes: number;
  /** Milliseconds since 1970; never before that of an earlier line of the same server, whatever its clock did. */
  readonly timeMs: number;
  /** Its number in its server's chain. */
  readonly seq: number;
}

/** How much is sent at once. */
export interface Limits {
  readonly entries: number;
  readonly bytes: number;
  /** What the place counts for each entry beside its line. */
  readonly overheadBytes: number;
  /** From the first to the last. */
  readonly spanMs: number;
}

export type Delivery =
  /** All of them are there, but for those that the place has said it threw away. */
  | { readonly kind: 'accepted'; readonly discarded?: number; readonly why?: string }
  /** These cannot be taken as they are, and will not be later: fewer may. The first ones never, if it says how many. */
  | { readonly kind: 'rejected'; readonly problem: string; readonly hopeless?: number }
  /** None of them is there, or nobody knows: again later. */
  | { readonly kind: 'failed'; readonly problem: string; readonly retryAfterMs?: number | undefined };

export interface Sink {
  /** For people: kind and address. */
  readonly name: string;
  readonly limits: Limits;
  /** Entries of one server, in their order. It never throws for the place's sake, and ends soon after the signal. */
  deliver(entries: readonly Shipment[], server: string, signal: AbortSignal): Promise<Delivery>;
  /** Lets go of what is open. */
  close(): void;
}

/** No place may hold up the others, or the end, for longer. */
export const TIMEOUT_MS = 10_000;
