// Questions for a secret, by their words.

const ASKS_FOR_SECRET = /\b(?:pass(?:word|phrase|code)|secret|token|otp|pin)\b[^:?]{0,60}[:?]\s*$/i;

/** Whether an unfinished line asks for a secret. */
export function asksForSecret(line: string): boolean {
  return ASKS_FOR_SECRET.test(line);
}
