// How long ago something was, for a hint.

/** E.g. `12 s`, `3 min`, `2 h`, since an ISO 8601 time. */
export function describeAge(since: string): string {
  const seconds = Math.max(0, Math.round((Date.now() - Date.parse(since)) / 1_000));
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 60)} h`;
}
