// Progress notifications of one call.
import type { ServerNotification } from '@modelcontextprotocol/sdk/types.js';

/** About once a second; a little less, so that a report which is due every second is not dropped for a millisecond. */
const MIN_INTERVAL_MS = 900;
/** A line without end is no message. */
const MAX_MESSAGE_CHARACTERS = 400;

export interface ProgressTarget {
  readonly progressToken: string | number;
  send(notification: ServerNotification): Promise<void>;
}

/** Sends what a waiting call reports. The value, elapsed time, only grows; a failing notification never fails the call. */
export function progressReporter({ progressToken, send }: ProgressTarget): (message: string, elapsedMs: number, totalMs?: number) => void {
  let lastMs = -Infinity;
  return (message, elapsedMs, total) => {
    if (elapsedMs - lastMs < MIN_INTERVAL_MS) return;
    lastMs = elapsedMs;
    const params = { progressToken, progress: Math.round(elapsedMs), message: message.slice(0, MAX_MESSAGE_CHARACTERS) };
    send({ method: 'notifications/progress', params: total === undefined ? params : { ...params, total } }).catch(() => {
      // the client is gone; the end of the connection is noticed elsewhere
    });
  };
}
