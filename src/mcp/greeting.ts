// What `shellkeep connect` and the server say to one another before the protocol begins: one line each way.

/** Of the program that connects. */
export interface Greeting {
  /** Where its client has started it: the usual directory for what it runs. */
  readonly cwd: string;
  readonly version: string;
}

/** Of the server. */
export interface Welcome {
  readonly version: string;
  readonly pid: number;
}

/** How a greeting begins, which no message of the protocol does. */
const OPENING = '{"shellkeep":';
const MAX_BYTES = 16 * 1024;

/** The line, with its newline. */
export function greetingLine(facts: Greeting | Welcome): string {
  return `${OPENING}${JSON.stringify(facts)}}\n`;
}

export type Opening =
  | { readonly kind: 'greeting'; readonly facts: Partial<Greeting & Welcome>; /** What came behind it. */ readonly rest: Buffer }
  /** The protocol itself, from the first byte on. */
  | { readonly kind: 'none' }
  /** More has to come before that can be told. */
  | { readonly kind: 'unfinished' };

/** What the first bytes of a connection are. */
export function openingOf(bytes: Buffer): Opening {
  const start = bytes.toString('latin1', 0, OPENING.length);
  if (!OPENING.startsWith(start)) return { kind: 'none' };
  const end = bytes.indexOf('\n');
  if (end === -1) return bytes.length > MAX_BYTES ? { kind: 'none' } : { kind: 'unfinished' };
  const facts = factsIn(bytes.toString('utf8', 0, end));
  return facts === undefined ? { kind: 'none' } : { kind: 'greeting', facts, rest: bytes.subarray(end + 1) };
}

function factsIn(line: string): Partial<Greeting & Welcome> | undefined {
  try {
    const { shellkeep } = JSON.parse(line) as { shellkeep?: Partial<Record<string, unknown>> };
    const { cwd, version, pid } = shellkeep ?? {};
    return { ...(typeof cwd === 'string' ? { cwd } : {}), ...(typeof version === 'string' ? { version } : {}), ...(typeof pid === 'number' ? { pid } : {}) };
  } catch {
    return undefined;
  }
}
