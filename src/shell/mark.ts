// The marks that frame a command on the terminal: OSC 133 (the "semantic prompt" convention of FinalTerm) with our nonce and id.

/** What a mark must carry to count. The nonce is fresh for every command and known to the shell and the server alone. */
export interface MarkKey {
  readonly nonce: string;
  readonly id: string;
}

/** Every mark begins so. */
export const MARK_PREFIX = Buffer.from('\x1b]133;');
/** A mark is shorter than this; what is longer is output. */
export const MARK_LIMIT_BYTES = 128;

const WAITS = ';w=1';

export type Mark =
  | { readonly kind: 'start' }
  /** `waits`: the shell goes on to its hooks when it is told that the mark was seen. */
  | { readonly kind: 'end'; readonly exitCode: number; readonly waits: boolean }
  | { readonly kind: 'ready' };

export type EndMark = Extract<Mark, { readonly kind: 'end' }>;

/** The mark between prefix and BEL, if it is one of this key's; undefined for anything else, which then is output. */
export function parseMark(body: string, key: MarkKey): Mark | undefined {
  const tail = `;aid=${key.nonce};id=${key.id}`;
  if (body === `C${tail}`) return { kind: 'start' };
  if (body === `P${tail}`) return { kind: 'ready' };
  const end = /^D;(\d{1,3});/.exec(body);
  const rest = end === null ? undefined : body.slice(end[0].length - 1);
  if (end === null || (rest !== tail && rest !== `${tail}${WAITS}`)) return undefined;
  return { kind: 'end', exitCode: Number(end[1]), waits: rest !== tail };
}
