// One entry as a message of RFC 5424, and a row of them as RFC 6587 frames them on a stream.
import { FACILITIES } from '../../config/ship-schema.ts';
import type { Shipment } from './sink.ts';

export interface Header {
  readonly facility: keyof typeof FACILITIES;
  readonly host: string;
  /** The name of the server that wrote the entry begins with its process id. */
  readonly server: string;
}

const INFORMATIONAL = 6;

/**
 * The line is the message, without a byte order mark: it is JSON, and what reads it as such would stumble. Its own time stands in the header,
 * which has everything the protocol knows a name for.
 */
export function syslogMessage({ line, timeMs }: Pick<Shipment, 'line' | 'timeMs'>, { facility, host, server }: Header): Buffer {
  const [pid = '-'] = server.split('-');
  return Buffer.from(`<${priority(facility)}>1 ${new Date(timeMs).toISOString()} ${headerText(host, 255)} shellkeep ${headerText(pid, 128)} audit - ${line}`);
}

/** With its length before it: what comes behind a message cannot be taken for a part of it, whatever they contain. */
export function framed(messages: readonly Buffer[]): Buffer {
  return Buffer.concat(messages.flatMap((message) => [Buffer.from(`${message.length} `), message]));
}

function priority(facility: Header['facility']): number {
  return FACILITIES[facility] * 8 + INFORMATIONAL;
}

/** Printable ASCII of a limited length; "-" stands for nothing. */
function headerText(text: string, most: number): string {
  return text.replaceAll(/[^\x21-\x7e]/g, '').slice(0, most) || '-';
}
