// What has to be known of a message to pass it on.

export type Id = string | number;

export type Head =
  | { readonly kind: 'request'; readonly id: Id; readonly method: string }
  /** `cancelled` is the request that it takes back. */
  | { readonly kind: 'notification'; readonly method: string; readonly cancelled: Id | undefined }
  | { readonly kind: 'answer'; readonly id: Id }
  /** No message: who gets it says what is wrong with it. */
  | { readonly kind: 'other' };

export function headOf(raw: Buffer): Head {
  const { id, method, params } = parsed(raw);
  if (typeof method !== 'string') return isId(id) ? { kind: 'answer', id } : { kind: 'other' };
  if (isId(id)) return { kind: 'request', id, method };
  const cancelled = method === 'notifications/cancelled' ? requestIn(params) : undefined;
  return { kind: 'notification', method, cancelled };
}

/** The same message with another id. */
export function withId(raw: Buffer, id: Id): Buffer {
  return Buffer.from(JSON.stringify({ ...parsed(raw), id }));
}

/** The same notification about another request. */
export function withCancelled(raw: Buffer, requestId: Id): Buffer {
  const message = parsed(raw);
  return Buffer.from(JSON.stringify({ ...message, params: { ...(message['params'] as object), requestId } }));
}

function parsed(raw: Buffer): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(raw.toString('utf8'));
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

function requestIn(params: unknown): Id | undefined {
  const id = typeof params === 'object' && params !== null && 'requestId' in params ? params.requestId : undefined;
  return isId(id) ? id : undefined;
}

function isId(value: unknown): value is Id {
  return typeof value === 'string' || typeof value === 'number';
}
