import type { AnswerHeaders } from "./answer-headers.ts";
/**
 * When a registry that answered 429 wants to be asked again, in seconds from `now`; null where it does not say.
 * Retry-After (RFC 9110) goes before the reset headers; a limit that is used up ends with its window at the latest
 * (Docker Hub: `ratelimit-remaining: 0;w=21600`).
 */
export function retryAfterSeconds(headers: AnswerHeaders, now: Date): number | null {
  const remaining = headers.get("ratelimit-remaining");
  return (
    delayOrDate(headers.get("retry-after"), now) ??
    resetSeconds(headers, now) ??
    (/^\s*0\s*;/.test(remaining ?? "") ? windowSeconds(remaining) : null)
  );
}

/** When the window of a limit ends, in seconds from `now`, by `ratelimit-reset` or its elder; null where neither is there. */
export function resetSeconds(headers: AnswerHeaders, now: Date): number | null {
  const seconds = /^\s*(\d{1,12})\b/.exec(
    headers.get("ratelimit-reset") ?? headers.get("x-ratelimit-reset") ?? "",
  )?.[1];
  if (seconds === undefined) return null;
  // No delay lasts thirty years: what looks like that is a time.
  return Number(seconds) > 1e9 ? secondsUntil(Number(seconds) * 1000, now) : Number(seconds);
}

/** The length of the window in `76;w=21600`. */
export function windowSeconds(value: string | null): number | null {
  const window = /;\s*w=(\d{1,9})\b/.exec(value ?? "")?.[1];
  return window === undefined ? null : Number(window);
}

function delayOrDate(value: string | null, now: Date): number | null {
  if (value === null) return null;
  if (/^\d{1,9}$/.test(value.trim())) return Number(value);
  const at = Date.parse(value);
  return Number.isNaN(at) ? null : secondsUntil(at, now);
}

function secondsUntil(epochMilliseconds: number, now: Date): number {
  return Math.max(0, Math.ceil((epochMilliseconds - now.getTime()) / 1000));
}
