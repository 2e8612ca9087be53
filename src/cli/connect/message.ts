// What has to be known of a message to pass it on.

export type Id = string | number;

export interface Head {
  /** Of a request, or of the one that is answered. */
  readonly id?: Id;
  /** Absent in an answer. */
  readonly method?: string;
  /** The request that this takes back. */
  readonly cancelled?: Id;
}

/** Nothing for what is no message: the server says what is wrong with it. */
export function headOf(line: string): Head {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value !== 'object' || value === null) return {};
    const { id, method, params } = value as { id?: unknown; method?: unknown; params?: { requestId?: unknown } };
    const cancelled = method === 'notifications/cancelled' ? params?.requestId : undefined;
    return { ...(isId(id) ? { id } : {}), ...(typeof method === 'string' ? { method } : {}), ...(isId(cancelled) ? { cancelled } : {}) };
  } catch {
    return {};
  }
}

function isId(value: unknown): value is Id {
  return typeof value === 'string' || typeof value === 'number';
}
