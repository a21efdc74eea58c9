const rfc3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})$/;

/** Returns the instant at `milliseconds` after 1970-01-01T00:00:00Z. */
export function fromEpoch(milliseconds: number): Date {
  return toDate(milliseconds);
}

/**
 * Parses a time as Go's `time.RFC3339` does, to the millisecond; null if it is invalid (30 February, 24:00, `+25:00`).
 */
export function parseRfc3339(text: string): Date | null {
  if (!rfc3339.test(text)) return null;
  const local = text.slice(0, 19);
  const civil = toDate(`${local}Z`);
  const instant = toDate(text);
  if (Number.isNaN(civil.getTime()) || Number.isNaN(instant.getTime())) return null;
  return civil.toISOString().startsWith(local) ? instant : null;
}

/** Formats an instant as Go's `time.RFC3339` does in UTC: whole seconds (truncated) and a `Z`. */
export function formatRfc3339(date: Date): string {
  return `${date.toISOString().slice(0, 19)}Z`;
}

/** Returns the seconds from `start` to `end`, with their fraction; negative if `end` is earlier. */
export function secondsBetween(start: Date, end: Date): number {
  return (end.getTime() - start.getTime()) / 1000;
}

/** Returns the time `seconds` after `time`. */
export function secondsAfter(time: Date, seconds: number): Date {
  return toDate(time.getTime() + seconds * 1000);
}

function toDate(value: number | string): Date {
  // oxlint-disable-next-line no-restricted-globals -- a pure conversion: the clock is not read
  return new Date(value);
}
