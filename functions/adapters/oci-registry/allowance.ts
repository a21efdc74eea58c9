import type { AnswerHeaders } from "./answer-headers.ts";
import { resetSeconds, windowSeconds } from "./retry-after.ts";

/** What a registry says it still lets somebody ask. Times are in milliseconds since the epoch. */
export interface Allowance {
  /** null where it says what remains, and not of how much. */
  readonly limit: number | null;
  readonly remaining: number;
  readonly endsAt: number;
  /** What is counted: every request, or pulls alone, which are GETs of manifests. */
  readonly counts: "requests" | "pulls";
}

export type Pace =
  | { readonly kind: "go" }
  | { readonly kind: "wait"; readonly milliseconds: number }
  | { readonly kind: "refuse"; readonly untilMilliseconds: number };

/** Nobody is left alone for longer on what a registry says: then it is asked again. */
export const longestRestSeconds = 3600;
const unsaidWindowSeconds = 60;
// Below this share of its limit an allowance is handled with care.
const reserve = 0.1;

/**
 * Reads `ratelimit-limit: 100;w=21600` and `ratelimit-remaining: 76;w=21600`, as Docker Hub writes them, and the plain
 * numbers of others; null where there is no such thing. Docker Hub counts pulls, and says so by a header of its own.
 */
export function allowanceIn(headers: AnswerHeaders, host: string, now: Date): Allowance | null {
  const said = headers.get("ratelimit-remaining") ?? headers.get("x-ratelimit-remaining");
  const remaining = numberIn(said);
  if (remaining === null) return null;
  const seconds = resetSeconds(headers, now) ?? windowSeconds(said) ?? unsaidWindowSeconds;
  const isHub = host === "registry-1.docker.io" || headers.get("docker-ratelimit-source") !== null;
  return {
    limit: numberIn(headers.get("ratelimit-limit") ?? headers.get("x-ratelimit-limit")),
    remaining,
    endsAt: now.getTime() + Math.min(seconds, longestRestSeconds) * 1000,
    counts: isHub ? "pulls" : "requests",
  };
}

/**
 * Whether a request that counts may go. While more than a tenth of the limit remains: at once. The last tenth of the pulls
 * is left to the nodes, which pull by the same allowance. The last tenth of the requests is spread evenly over what is left
 * of the window: the next one may go at `nextAt`, and waits `longestWaitMilliseconds` at most.
 */
export function paceOf(allowance: Allowance, nextAt: number, now: number, longestWaitMilliseconds: number): Pace {
  const { limit, remaining, endsAt, counts } = allowance;
  if (now >= endsAt || remaining > (limit ?? 0) * reserve) return { kind: "go" };
  if (counts === "pulls" || remaining === 0) return { kind: "refuse", untilMilliseconds: endsAt };
  if (nextAt <= now) return { kind: "go" };
  if (nextAt - now > longestWaitMilliseconds) return { kind: "refuse", untilMilliseconds: nextAt };
  return { kind: "wait", milliseconds: nextAt - now };
}

/** When the request after one that goes at `at` may go. */
export function nextAfter({ remaining, endsAt }: Allowance, at: number): number {
  return at + Math.max(0, endsAt - at) / Math.max(1, remaining);
}

function numberIn(value: string | null): number | null {
  const digits = /^\s*(\d{1,15})\b/.exec(value ?? "")?.[1];
  return digits === undefined ? null : Number(digits);
}
