// Counts in sentences.

/** `1 task`, `2 tasks` */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
