import { parseRetryAfter, secondsUntil } from "../retry-after.ts";
import type { ResponseHeaders } from "./http/response-headers.ts";

/** A rate limit as a registry reports it. Times are in milliseconds since the epoch. */
export interface RateLimit {
  /** null if the registry reports only what remains. */
  readonly limit: number | null;
  readonly remaining: number;
  readonly endsAt: number;
  /** What is counted: every request, or pulls only, which are GETs of manifests. */
  readonly counts: "requests" | "pulls";
}

export type RateLimitDecision =
  | { readonly kind: "allow" }
  | { readonly kind: "wait"; readonly milliseconds: number }
  | { readonly kind: "reject"; readonly untilMilliseconds: number };

/** The longest back-off that a registry can cause. */
export const maxBackoffSeconds = 3600;
const defaultWindowSeconds = 60;
// Below this share of its limit, a quota is spent sparingly.
const reserve = 0.1;

/**
 * Parses `ratelimit-limit: 100;w=21600` and `ratelimit-remaining: 76;w=21600`, as Docker Hub sends them, and the plain
 * numbers of others. Returns null if there is no such header. Docker Hub counts pulls, and marks that by its own header.
 */
export function parseRateLimit(headers: ResponseHeaders, host: string, now: Date): RateLimit | null {
  const remainingHeader = headers.get("ratelimit-remaining") ?? headers.get("x-ratelimit-remaining");
  const remaining = parseInteger(remainingHeader);
  if (remaining === null) return null;
  const seconds = resetSeconds(headers, now) ?? windowSeconds(remainingHeader) ?? defaultWindowSeconds;
  const isHub = host === "registry-1.docker.io" || headers.get("docker-ratelimit-source") !== null;
  return {
    limit: parseInteger(headers.get("ratelimit-limit") ?? headers.get("x-ratelimit-limit")),
    remaining,
    endsAt: now.getTime() + Math.min(seconds, maxBackoffSeconds) * 1000,
    counts: isHub ? "pulls" : "requests",
  };
}

/**
 * Decides whether a request that counts may be sent. It may while more than a tenth of the limit remains. The last tenth
 * of the pulls is reserved for the nodes, which share the quota. The last tenth of the requests is spread evenly over the
 * rest of the window: the next one may be sent at `nextAt`, after at most `maxWaitMilliseconds`.
 */
export function rateLimitDecision(
  rateLimit: RateLimit,
  nextAt: number,
  now: number,
  maxWaitMilliseconds: number,
): RateLimitDecision {
  const { limit, remaining, endsAt, counts } = rateLimit;
  if (now >= endsAt || remaining > (limit ?? 0) * reserve) return { kind: "allow" };
  if (counts === "pulls" || remaining === 0) return { kind: "reject", untilMilliseconds: endsAt };
  if (nextAt <= now) return { kind: "allow" };
  if (nextAt - now > maxWaitMilliseconds) return { kind: "reject", untilMilliseconds: nextAt };
  return { kind: "wait", milliseconds: nextAt - now };
}

/** Returns the earliest time of the request that follows one sent at `sentAt`. */
export function nextRequestAt({ remaining, endsAt }: RateLimit, sentAt: number): number {
  return sentAt + Math.max(0, endsAt - sentAt) / Math.max(1, remaining);
}

function parseInteger(value: string | null): number | null {
  const digits = /^\s*(\d{1,15})\b/.exec(value ?? "")?.[1];
  return digits === undefined ? null : Number(digits);
}

/**
 * Returns the seconds from `now` after which a registry that answered 429 accepts requests; null if it names no time.
 * Retry-After (RFC 9110) takes precedence over the reset headers. An exhausted limit ends with its window at the latest
 * (Docker Hub: `ratelimit-remaining: 0;w=21600`).
 */
export function retryAfterSeconds(headers: ResponseHeaders, now: Date): number | null {
  const remaining = headers.get("ratelimit-remaining");
  return (
    parseRetryAfter(headers.get("retry-after"), now) ??
    resetSeconds(headers, now) ??
    (/^\s*0\s*;/.test(remaining ?? "") ? windowSeconds(remaining) : null)
  );
}

/** Returns the seconds from `now` to the end of a limit's window, by `ratelimit-reset` or `x-ratelimit-reset`; null without them. */
function resetSeconds(headers: ResponseHeaders, now: Date): number | null {
  const seconds = /^\s*(\d{1,12})\b/.exec(
    headers.get("ratelimit-reset") ?? headers.get("x-ratelimit-reset") ?? "",
  )?.[1];
  if (seconds === undefined) return null;
  // A delay of thirty years is a Unix time.
  return Number(seconds) > 1e9 ? secondsUntil(Number(seconds) * 1000, now) : Number(seconds);
}

/** Returns the length of the window in `76;w=21600`. */
function windowSeconds(value: string | null): number | null {
  const window = /;\s*w=(\d{1,9})\b/.exec(value ?? "")?.[1];
  return window === undefined ? null : Number(window);
}
