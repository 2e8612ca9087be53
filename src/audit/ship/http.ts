// One POST: a limit on its time and on what is read of the answer. Redirects are not followed: they would carry the entries, and a password, elsewhere.
import { Agent as HttpAgent, request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { retryAfterMs } from './back-off.ts';
import { excerptOf, wordsOf } from './problem.ts';
import { TIMEOUT_MS, type Delivery } from './sink.ts';

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** The beginning of its body. */
  readonly text: string;
}

export interface Request {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  readonly signal: AbortSignal;
}

const MAX_ANSWER_BYTES = 64 * 1024;

/** Sends requests to one address over one connection. */
export class HttpClient {
  readonly #url: URL;
  readonly #agent: HttpAgent | HttpsAgent;

  constructor(url: URL) {
    this.#url = url;
    this.#agent = url.protocol === 'https:' ? new HttpsAgent({ keepAlive: true, maxSockets: 1 }) : new HttpAgent({ keepAlive: true, maxSockets: 1 });
  }

  /** The answer, or the failure to be passed on. */
  async post(request: Request): Promise<Answer | Extract<Delivery, { kind: 'failed' }>> {
    try {
      return await this.#exchange(request);
    } catch (error) {
      return { kind: 'failed', problem: wordsOf(error) };
    }
  }

  close(): void {
    this.#agent.destroy();
  }

  #exchange({ headers, body, signal }: Request): Promise<Answer> {
    const send = this.#url.protocol === 'https:' ? httpsRequest : httpRequest;
    const limit = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
    return new Promise((resolve, reject) => {
      const fail = (error: Error): void => reject(limit.aborted && limit.reason instanceof Error ? limit.reason : error);
      const options = { method: 'POST', agent: this.#agent, signal: limit, headers: { ...headers, 'content-length': String(body.length) } };
      const outgoing = send(this.#url, options, (answer) => {
        const pieces: Buffer[] = [];
        let length = 0;
        answer.on('data', (piece: Buffer) => {
          if (length < MAX_ANSWER_BYTES) pieces.push(piece);
          length += piece.length;
          if (length > 16 * MAX_ANSWER_BYTES) answer.destroy(new Error('the answer does not end'));
        });
        answer.on('error', fail);
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text: Buffer.concat(pieces).toString() }));
      });
      outgoing.on('socket', (socket) => socket.unref()); // entries that are on their way keep no process alive
      outgoing.on('error', fail);
      outgoing.end(body);
    });
  }
}

/** What an answer means where nothing more is known about it. */
export function deliveryOf({ status, headers, text }: Answer): Delivery {
  const said = excerptOf(text);
  const problem = `it answered ${status}${said === '' ? '' : `: ${said}`}`;
  if (status >= 200 && status < 300) return { kind: 'accepted' };
  if (status === 400 || status === 413 || status === 422) return { kind: 'rejected', problem };
  if (status >= 300 && status < 400) return { kind: 'failed', problem: `it answered ${status}, a redirect, which is not followed` };
  return { kind: 'failed', problem, retryAfterMs: retryAfterMs(headers['retry-after'], Date.now()) };
}
