// What the operator reads on standard error. Silent in normal operation: there is no level below a warning.

/** Writes one message, with the product's name before it. */
export type Log = (message: string) => void;

/** A log over a writer of text, which is given from outside to keep this folder pure. */
export function createLog(write: (text: string) => void): Log {
  return (message) => write(`shellkeep: ${message}\n`);
}
