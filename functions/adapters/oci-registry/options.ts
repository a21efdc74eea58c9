import type { LimitSettings } from "../../domain/budget/limits.ts";
import type { Authenticator } from "./credentials/authenticator.ts";
import type { HostPolicy, HostSettings } from "./http/host-policy.ts";
import type { CredentialsFor } from "./credentials/credentials.ts";
import type { MemoryShare } from "./memory-budget.ts";
import type { ResolvedImages } from "./resolved-images.ts";
import type { ResponseCache } from "./response-cache.ts";
import type { RateLimit } from "./rate-limit-headers.ts";
import type { RateLimiter } from "./rate-limiter.ts";
import type { RequestOrigin } from "./credentials/identity.ts";

export interface Limits {
  /** One request and its complete response. */
  readonly requestSeconds: number;
  /** One tag list or digest with all its pages; bounds registries that answer slowly. */
  readonly operationSeconds: number;
  /** One response, compressed and decompressed. */
  readonly responseBytes: number;
  /** All pages of one tag list, decompressed. */
  readonly listingBytes: number;
  /** What all operations in flight hold together: compressed, decompressed and as tags. */
  readonly bytesInFlight: number;
  /** How fast large answers are read, all together: decompressing and parsing them takes about 6 % of a CPU, of which a poll has 29 %. */
  readonly bytesPerSecond: number;
  readonly tagsPerRepository: number;
  readonly pages: number;
  readonly concurrentPerHost: number;
  /** The longest wait for a request if a registry's quota is nearly exhausted; a longer one is rejected. */
  readonly maxRateLimitWaitSeconds: number;
  /** The total of the responses that are cached for conditional requests. */
  readonly cacheBytes: number;
  /**
   * Tags per page, sent as `n`; null means the registry's default. Some reject what others allow (Quay more than 100, ECR
   * more than 1000), and not all that truncate a list at `n` send a Link.
   */
  readonly pageSize: number | null;
}

export interface RegistryOptions extends HostSettings {
  readonly credentials: CredentialsFor;
  readonly now: () => Date;
  /** From 0 to 1: the jitter of a back-off. */
  readonly random?: () => number;
  readonly limits?: Partial<Limits>;
  /** What namespaces may use. */
  readonly namespaceLimits?: LimitSettings;
  /** Receives each rate limit that a host reports. */
  readonly onRateLimit?: (host: string, rateLimit: RateLimit) => void;
}

/** What one operation on one image needs. */
export interface RequestContext extends RequestOrigin {
  /** The prefix of every message: registry, repository and reference. */
  readonly subject: string;
  readonly limits: Limits;
  readonly hosts: HostPolicy;
  readonly authenticator: Authenticator;
  readonly responseCache: ResponseCache;
  readonly resolvedImages: ResolvedImages;
  readonly rateLimiter: RateLimiter;
  readonly memory: MemoryShare;
  readonly now: () => Date;
  /** On the clock of `performance.now()`, in milliseconds. */
  readonly deadline: number;
}

const MiB = 1024 * 1024;

export const defaultLimits = {
  requestSeconds: 30,
  operationSeconds: 120,
  responseBytes: 10 * MiB,
  listingBytes: 16 * MiB, // 100,000 tags of the maximum length, 128, have 13 MB
  bytesInFlight: 64 * MiB,
  bytesPerSecond: 4 * MiB,
  tagsPerRepository: 100_000,
  pages: 1000,
  concurrentPerHost: 8,
  maxRateLimitWaitSeconds: 3,
  cacheBytes: 32 * MiB,
  pageSize: null,
} satisfies Limits;
