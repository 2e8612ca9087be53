// An entry of the audit log as one line for people.
import type { AuditRecord } from '../audit/record.ts';

export const HEADING = `${'time (UTC)'.padEnd(24)}${'what'.padEnd(18)}${'outcome'.padEnd(13)}${'code'.padEnd(9)}${'time'.padStart(9)}  ${'class'.padEnd(10)}command or detail\n`;

const MAX_COMMAND_CHARACTERS = 200;
/** What a terminal would act on, or not show. */
const UNSEEN = /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g;

/** With a newline at its end and no other control character. */
export function columnsOf(entry: AuditRecord): string {
  const { ts, tool, event, outcome, classification } = entry;
  const columns = [
    column(ts.replace('T', ' ').replace('Z', ''), 24),
    column(tool ?? event, 18),
    column(outcome, 13),
    column(entry['signal'] ?? entry['exit_code'] ?? entry['error'], 9),
    column(durationOf(entry['duration_ms']), 9, 'right'),
    `  ${column(classification, 10)}`,
    shown(commandOf(entry), MAX_COMMAND_CHARACTERS),
  ];
  return `${columns.join('').trimEnd()}\n`;
}

function commandOf(entry: AuditRecord): string {
  const args = entry['args'];
  const command = typeof args === 'object' && args !== null ? (args as Record<string, unknown>)['command'] : undefined;
  const text = typeof command === 'object' && command !== null ? (command as Record<string, unknown>)['text'] : undefined;
  if (typeof text === 'string') return text;
  if (typeof entry['detail'] === 'string') return entry['detail'];
  return args === undefined ? '' : JSON.stringify(args);
}

function durationOf(value: unknown): string {
  if (typeof value !== 'number') return '';
  return value < 10_000 ? `${Math.round(value)} ms` : `${(value / 1_000).toFixed(1)} s`;
}

function column(value: unknown, width: number, side: 'left' | 'right' = 'left'): string {
  const text = shown(value === undefined ? '' : String(value), width - 1);
  return side === 'left' ? text.padEnd(width) : text.padStart(width);
}

function shown(text: string, most: number): string {
  const short = text.length > most ? `${text.slice(0, most - 1)}…` : text;
  return short.replaceAll(UNSEEN, (character) => (character === '\n' ? '\\n' : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`));
}
