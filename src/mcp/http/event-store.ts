// What was sent on the streams of a connection, so that a client whose stream broke gets what it missed: as much as all connections together may keep.
import type { EventId, EventStore, StreamId } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';

const MAX_BYTES = 64 * 1024 * 1024;
/** Of one connection. Answers are there by their own ids besides, for longer. */
const MAX_EVENTS = 1_000;
/** What an event takes beside its texts. */
const EVENT_BYTES = 400;

/** The bound that the connections of a server share: whoever keeps most forgets its oldest first. */
export class EventBudget {
  readonly #limitBytes: number;
  readonly #logs = new Set<EventLog>();
  #bytes = 0;

  constructor(limitBytes = MAX_BYTES) {
    this.#limitBytes = limitBytes;
  }

  get bytes(): number {
    return this.#bytes;
  }

  add(log: EventLog): void {
    this.#logs.add(log);
  }

  remove(log: EventLog): void {
    this.#logs.delete(log);
  }

  /** Counts what a log has more, or less; makes room where it is too much. */
  count(bytes: number): void {
    this.#bytes += bytes;
    while (this.#bytes > this.#limitBytes) {
      const [first, ...rest] = this.#logs;
      if (first === undefined) return;
      rest.reduce((largest, log) => (log.bytes > largest.bytes ? log : largest), first).forgetOldest();
    }
  }
}

interface StoredEvent {
  readonly streamId: StreamId;
  readonly message: JSONRPCMessage;
  readonly bytes: number;
}

/** The events of one connection. */
export class EventLog implements EventStore {
  readonly #budget: EventBudget;
  readonly #events = new Map<EventId, StoredEvent>();
  #bytes = 0;
  #last = 0;

  constructor(budget: EventBudget) {
    this.#budget = budget;
    budget.add(this);
  }

  get bytes(): number {
    return this.#bytes;
  }

  async storeEvent(streamId: StreamId, message: JSONRPCMessage): Promise<EventId> {
    const id = String(++this.#last);
    const bytes = EVENT_BYTES + sizeOf(message);
    this.#events.set(id, { streamId, message, bytes });
    this.#count(bytes);
    if (this.#events.size > MAX_EVENTS) this.forgetOldest();
    return id;
  }

  async getStreamIdForEventId(id: EventId): Promise<StreamId | undefined> {
    return this.#events.get(id)?.streamId;
  }

  async replayEventsAfter(lastId: EventId, { send }: { send: (id: EventId, message: JSONRPCMessage) => Promise<void> }): Promise<StreamId> {
    const { streamId, events } = this.#after(lastId);
    for (const [id, { message }] of events) await send(id, message);
    return streamId;
  }

  /** How many events a stream has after this one, when the last of all is the answer with which it ends; else undefined. */
  restOf(lastId: EventId): number | undefined {
    const { events } = this.#after(lastId);
    const last = (events.at(-1)?.[1] ?? this.#events.get(lastId))?.message;
    return last !== undefined && ('result' in last || 'error' in last) ? events.length : undefined;
  }

  forgetOldest(): void {
    const [oldest] = this.#events;
    if (oldest === undefined) return;
    const [id, { bytes }] = oldest;
    this.#events.delete(id);
    this.#count(-bytes);
  }

  /** The connection is over. */
  close(): void {
    this.#events.clear();
    this.#count(-this.#bytes);
    this.#budget.remove(this);
  }

  #count(bytes: number): void {
    this.#bytes += bytes;
    this.#budget.count(bytes);
  }

  #after(lastId: EventId): { readonly streamId: StreamId; readonly events: readonly (readonly [EventId, StoredEvent])[] } {
    const streamId = this.#events.get(lastId)?.streamId ?? '';
    const later = [...this.#events].filter(([id, event]) => Number(id) > Number(lastId) && event.streamId === streamId);
    return { streamId, events: later.filter(([, { message }]) => Object.keys(message).length > 0) }; // an empty one only opened the stream
  }
}

/** The characters of its texts: about its bytes, without making the whole text once more. */
function sizeOf(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 8;
  return Object.entries(value).reduce((sum, [name, part]) => sum + name.length + sizeOf(part), 0);
}
