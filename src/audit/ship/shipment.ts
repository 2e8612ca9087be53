// What of a line is needed to send it: when, and which in the chain. Both stand at its beginning, so that nothing has to be parsed, and lines of a
// later version go out as well.
import type { Shipment } from './sink.ts';

/** As `record.ts` writes it. */
const BEGINNING = /^\{"v":\d{1,6},"ts":"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)","seq":(\d{1,15}),"/;
const BEGINNING_BYTES = 100;
const CLOSING_BRACE = 0x7d;

/** Undefined for a line that is no record. */
export function shipmentOf(bytes: Buffer | undefined, notBeforeMs: number): Shipment | undefined {
  if (bytes === undefined || bytes.at(-1) !== CLOSING_BRACE) return undefined;
  const [, ts = '', seq = ''] = BEGINNING.exec(bytes.toString('latin1', 0, BEGINNING_BYTES)) ?? [];
  const timeMs = Date.parse(ts);
  if (Number.isNaN(timeMs)) return undefined;
  return { line: bytes.toString(), bytes: bytes.length, timeMs: Math.max(timeMs, notBeforeMs), seq: Number(seq) };
}
