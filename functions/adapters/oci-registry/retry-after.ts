/**
 * When a registry that answered 429 wants to be asked again, in seconds from `now`; null where it does not say.
 * Retry-After (RFC 9110) goes before the reset headers; a limit that is used up ends with its window at the latest
 * (Docker Hub: `ratelimit-remaining: 0;w=21600`).
 */
export function retryAfterSeconds(headers: Headers, now: Date): number | null {
  return (
    delayOrDate(headers.get("retry-after"), now) ??
    delayOrEpoch(headers.get("ratelimit-reset") ?? headers.get("x-ratelimit-reset"), now) ??
    usedUpWindow(headers.get("ratelimit-remaining"))
  );
}

function delayOrDate(value: string | null, now: Date): number | null {
  if (value === null) return null;
  if (/^\d+$/.test(value.trim())) return Number(value);
  const at = Date.parse(value);
  return Number.isNaN(at) ? null : secondsUntil(at, now);
}

function delayOrEpoch(value: string | null, now: Date): number | null {
  const seconds = /^\s*(\d+)/.exec(value ?? "")?.[1];
  if (seconds === undefined) return null;
  // No delay lasts thirty years: what looks like that is a time.
  return Number(seconds) > 1e9 ? secondsUntil(Number(seconds) * 1000, now) : Number(seconds);
}

function usedUpWindow(remaining: string | null): number | null {
  const window = /^\s*0\s*;\s*w=(\d+)/.exec(remaining ?? "")?.[1];
  return window === undefined ? null : Number(window);
}

function secondsUntil(epochMilliseconds: number, now: Date): number {
  return Math.max(0, Math.ceil((epochMilliseconds - now.getTime()) / 1000));
}
