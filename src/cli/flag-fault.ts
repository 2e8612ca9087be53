// What is wrong with the flags of a command, without the advice that Node adds, which is none for these commands.

/** The first sentence of what `parseArgs` has thrown. */
export function flagFault(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.split('\n', 1)[0]?.replace(/\. To specify .*/, '') ?? '';
}
