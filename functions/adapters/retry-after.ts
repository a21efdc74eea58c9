/** Returns the seconds from `now` in a header Retry-After (RFC 9110), which has seconds or a date; null without one of them. */
export function parseRetryAfter(value: string | null, now: Date): number | null {
  if (value === null) return null;
  if (/^\d{1,9}$/.test(value.trim())) return Number(value);
  const time = Date.parse(value);
  return Number.isNaN(time) ? null : secondsUntil(time, now);
}

export function secondsUntil(epochMilliseconds: number, now: Date): number {
  return Math.max(0, Math.ceil((epochMilliseconds - now.getTime()) / 1000));
}
