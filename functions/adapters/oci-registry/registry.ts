import { createFairQueue, type FairQueue } from "../../domain/budget/fair-queue.ts";
import { limitsOf, noLimitSettings } from "../../domain/budget/limits.ts";
import type { ImageReference } from "../../domain/image/reference.ts";
import { digestsIn } from "../../domain/image/resolved-image.ts";
import { RegistryAnswerInvalid } from "../../ports/errors.ts";
import type { Artifacts } from "../../ports/artifacts.ts";
import type { Registry } from "../../ports/registry.ts";
import { fetchArtifact, fetchBlob, listReferrers } from "./artifacts.ts";
import { createAuthenticator } from "./credentials/authenticator.ts";
import { digestOf, resolveImage } from "./manifests.ts";
import { createResolvedImages } from "./resolved-images.ts";
import { createResponseCache } from "./response-cache.ts";
import { listTags } from "./list-tags.ts";
import { createMemoryBudget, MemoryExceeded } from "./memory-budget.ts";
import { createRateLimiter } from "./rate-limiter.ts";
import { createHostPolicy } from "./http/host-policy.ts";
import { resolveHost } from "./http/http.ts";
import { repositoryName } from "./urls.ts";
import { defaultLimits, type RequestContext, type Limits, type RegistryOptions } from "./options.ts";
import type { RequestOrigin } from "./credentials/identity.ts";

/** The response of a token endpoint: a token of at most 16 kB, often under two names. */
const maxTokenBytes = 64 * 1024;

/**
 * Creates a client of registries that implement the OCI distribution API. Each call sends a request. Bounded caches hold,
 * for each login separately: tokens, responses that their registry can confirm by a 304, and rate limits; and for all, what digests have.
 */
export function createOciRegistry(options: RegistryOptions): Registry & Artifacts {
  const { credentials, now, random = Math.random, onRateLimit } = options;
  const limits: Limits = { ...defaultLimits, ...options.limits };
  const hosts = createHostPolicy(options);
  const bounds = { seconds: limits.requestSeconds, bytes: Math.min(limits.responseBytes, maxTokenBytes) };
  const common = {
    limits,
    hosts,
    authenticator: createAuthenticator({ credentials, hosts, bounds, now }),
    responseCache: createResponseCache(limits.cacheBytes),
    resolvedImages: createResolvedImages(),
    rateLimiter: createRateLimiter({ now, random, maxWaitSeconds: limits.maxRateLimitWaitSeconds, onRateLimit }),
    now,
  };
  const bytesOf = (namespace: string) => limitsOf(options.namespaceLimits ?? noLimitSettings, namespace).bytes;
  const budget = createMemoryBudget(limits.bytesInFlight, limits.bytesPerSecond, bytesOf);
  const limiterFor = createHostLimiters(limits.concurrentPerHost);

  async function run<Result>(
    origin: RequestOrigin,
    subject: string,
    operation: (context: RequestContext) => Promise<Result>,
    isUrgent = true,
  ): Promise<Result> {
    const { payer, image } = origin;
    const { registry: host } = image;
    await resolveHost(host, subject, payer);
    const request = async () => {
      const deadline = performance.now() + limits.operationSeconds * 1000;
      const memory = budget.open(host, payer);
      try {
        return await operation({ ...common, ...origin, subject, deadline, memory });
      } catch (error) {
        throw error instanceof MemoryExceeded ? new RegistryAnswerInvalid(`${subject}: ${error.message}.`) : error;
      } finally {
        memory.release();
      }
    };
    return limiterFor(host).run(payer, request, isUrgent);
  }

  const resolve: Registry["resolve"] = (image, logins = [], payer = "") =>
    run({ image, logins, payer }, referenceName(image), resolveImage);

  return {
    // A listing is what most requests wait behind; a digest is of a version that it has shown.
    listTags: (image, logins = [], payer = "") => run({ image, logins, payer }, repositoryName(image), listTags, false),
    digestOf: (image, logins = [], payer = "") => run({ image, logins, payer }, referenceName(image), digestOf),
    resolve,
    digestsOf: async (...request) => digestsIn(await resolve(...request)),
    fetchManifest: (image, logins = []) => run({ image, logins, payer: "" }, referenceName(image), fetchArtifact),
    fetchBlob: (image, blob, logins = []) =>
      run({ image, logins, payer: "" }, repositoryName(image), (context) => fetchBlob(context, blob)),
    listReferrers: (image, digest, logins = []) =>
      run({ image, logins, payer: "" }, repositoryName(image), (context) => listReferrers(context, digest)),
  };
}

function referenceName(image: ImageReference): string {
  const { tag, digest } = image;
  return repositoryName(image) + (digest === null ? `:${tag ?? "latest"}` : `@${digest}`);
}

/** One queue for each host, in which namespaces take turns. */
function createHostLimiters(concurrency: number): (host: string) => FairQueue {
  const limiters = new Map<string, FairQueue>();
  return (host) => {
    const limiter = limiters.get(host) ?? createFairQueue({ concurrency, clock: () => performance.now() });
    limiters.set(host, limiter);
    return limiter;
  };
}
