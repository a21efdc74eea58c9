import type { ResponseHeaders } from "./http/response-headers.ts";
import { setTimeout as delay } from "node:timers/promises";
import { LRUCache } from "lru-cache";
import { Throttled } from "../../ports/errors.ts";
import {
  type RateLimit,
  maxBackoffSeconds,
  nextRequestAt,
  parseRateLimit,
  rateLimitDecision,
} from "./rate-limit-headers.ts";
import type { HttpRequest } from "./http/http.ts";
import type { Principal } from "./credentials/identity.ts";

/** Prevents requests that a registry would reject, and requests that would use up its quota. */
export interface RateLimiter {
  /** Resolves when the request may be sent. Throws `Throttled` if it must not be; nothing is sent then. */
  acquire(url: URL, request: HttpRequest, principal: Principal, subject: string): Promise<void>;
  /** Records the rate limit of a response. */
  observeHeaders(url: URL, credentialId: string, headers: ResponseHeaders): void;
  /** Stops requests to a host with these credentials for `seconds`; null if the host named no time. */
  backOff(url: URL, credentialId: string, seconds: number | null): void;
}

export interface RateLimiterOptions {
  readonly now: () => Date;
  /** From 0 to 1. */
  readonly random: () => number;
  readonly maxWaitSeconds: number;
  /** Receives each rate limit that a host reports. */
  readonly onRateLimit?: ((host: string, rateLimit: RateLimit) => void) | undefined;
}

/** What is known of one host for one set of credentials. Times are in milliseconds since the epoch. */
interface HostState {
  backoffUntil: number;
  rateLimit: RateLimit | null;
  nextAt: number;
}

const defaultBackoffSeconds = 60;
// Spreads the polls that were throttled in the same second: a quarter longer, at most a minute.
const jitter = { share: 0.25, maxMilliseconds: 60_000 };
const maxStates = 5000;

export function createRateLimiter({ now, random, maxWaitSeconds, onRateLimit }: RateLimiterOptions): RateLimiter {
  const states = new LRUCache<string, HostState>({ max: maxStates });
  const hostBackoffs = new LRUCache<string, number>({ max: maxStates });

  async function acquire(url: URL, request: HttpRequest, principal: Principal, subject: string): Promise<void> {
    const time = now().getTime();
    // An unauthenticated request may turn out to need the credentials that the host throttled.
    if ((hostBackoffs.get(url.host) ?? 0) > time)
      throwIfBackingOff(url, [principal.credentialId, await principal.expectedCredentialId()], subject, time);
    const state = states.get(stateKey(url, principal.credentialId));
    if (!state?.rateLimit || (state.rateLimit.counts === "pulls" && !isPull(url, request))) return;
    const decision = rateLimitDecision(state.rateLimit, state.nextAt, time, maxWaitSeconds * 1000);
    if (decision.kind === "reject")
      throw quotaExhausted(url, subject, state.rateLimit, decision.untilMilliseconds - time);
    state.nextAt = nextRequestAt(state.rateLimit, Math.max(time, state.nextAt));
    if (decision.kind === "wait") await delay(decision.milliseconds);
  }

  function throwIfBackingOff(url: URL, credentialIds: readonly string[], subject: string, time: number): void {
    const until = Math.max(...credentialIds.map((id) => states.get(stateKey(url, id))?.backoffUntil ?? 0));
    if (until > time) throw throttledError(url, subject, until - time);
  }

  function observeHeaders(url: URL, credentialId: string, headers: ResponseHeaders): void {
    const rateLimit = parseRateLimit(headers, url.host, now());
    if (rateLimit === null) return;
    getOrCreateState(url, credentialId).rateLimit = rateLimit;
    onRateLimit?.(url.host, rateLimit);
  }

  function backOff(url: URL, credentialId: string, seconds: number | null): void {
    const milliseconds = Math.min(seconds ?? defaultBackoffSeconds, maxBackoffSeconds) * 1000;
    const extra = random() * Math.min(milliseconds * jitter.share, jitter.maxMilliseconds);
    const until = now().getTime() + milliseconds + extra;
    const state = getOrCreateState(url, credentialId);
    state.backoffUntil = Math.max(state.backoffUntil, until);
    hostBackoffs.set(url.host, Math.max(hostBackoffs.get(url.host) ?? 0, until));
  }

  function getOrCreateState(url: URL, credentialId: string): HostState {
    const key = stateKey(url, credentialId);
    const state = states.get(key) ?? { backoffUntil: 0, rateLimit: null, nextAt: 0 };
    states.set(key, state);
    return state;
  }

  return { acquire, observeHeaders, backOff };
}

/** What Docker Hub counts: HEAD requests and tag lists are free. */
function isPull(url: URL, { method }: HttpRequest): boolean {
  return method === "GET" && url.pathname.includes("/manifests/");
}

function stateKey({ host }: URL, credentialId: string): string {
  return `${host} ${credentialId}`;
}

function throttledError(url: URL, subject: string, milliseconds: number): Throttled {
  const seconds = Math.ceil(milliseconds / 1000);
  return new Throttled(
    `${subject}: ${url.host} answered 429 (too many requests); no request for another ${seconds} seconds.`,
    seconds,
  );
}

function quotaExhausted(url: URL, subject: string, rateLimit: RateLimit, milliseconds: number): Throttled {
  const { remaining, limit, counts } = rateLimit;
  const seconds = Math.ceil(milliseconds / 1000);
  const quota = `${remaining}${limit === null ? "" : ` of ${limit}`} ${counts}`;
  const reason =
    counts === "pulls" ? "which are reserved for the nodes" : "which are spread over the rate limit's window";
  return new Throttled(
    `${subject}: ${url.host} allows ${quota} more, ${reason}; no request for another ${seconds} seconds. ` +
      "Configure a login: its limit is often higher.",
    seconds,
  );
}
