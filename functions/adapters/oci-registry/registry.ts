import pLimit, { type LimitFunction } from "p-limit";
import type { ImageReference } from "../../domain/image-reference.ts";
import type { Registry } from "../../ports/registry.ts";
import { createAuthority } from "./authority.ts";
import { digestOf } from "./digest-of.ts";
import { digestsOf } from "./digests-of.ts";
import { keptAnswers } from "./kept-answers.ts";
import { listTags } from "./list-tags.ts";
import { createPace } from "./pace.ts";
import { insecureHostSet, named } from "./places.ts";
import { defaultLimits, type Asking, type Limits, type RegistrySettings } from "./settings.ts";
import type { Asker } from "./visitor.ts";

/**
 * Registries that speak the OCI distribution API. Each call asks anew. What is kept between calls, within bounds and for
 * each login apart: tokens, answers that their registry can confirm by a 304, and what it said of its limits.
 */
export function ociRegistry(settings: RegistrySettings): Registry {
  const { credentials, insecureHosts, now, random = Math.random, limits: own } = settings;
  const limits: Limits = { ...defaultLimits, ...own };
  const insecure = insecureHostSet(insecureHosts);
  const bounds = { seconds: limits.requestSeconds, bytes: limits.answerBytes };
  const authority = createAuthority({ credentials, insecureHosts: insecure, bounds, now });
  const answers = keptAnswers(limits.keptBytes);
  const pace = createPace({ now, random, longestWaitSeconds: limits.paceSeconds });
  const common = { limits, insecureHosts: insecure, authority, answers, pace, now };
  const turnAt = turns(limits.concurrentPerHost);

  async function inTurn<Result>(asker: Asker, subject: string, run: (asking: Asking) => Promise<Result>) {
    return turnAt(asker.image.registry)(() => {
      const deadline = performance.now() + limits.operationSeconds * 1000;
      return run({ ...common, ...asker, subject, deadline });
    });
  }

  return {
    listTags: (image, logins = []) => inTurn({ image, logins }, named(image), listTags),
    digestOf: (image, logins = []) => inTurn({ image, logins }, named(image) + wanted(image), digestOf),
    digestsOf: (image, logins = []) => inTurn({ image, logins }, named(image) + wanted(image), digestsOf),
  };
}

function wanted({ tag, digest }: ImageReference): string {
  return digest === null ? `:${tag ?? "latest"}` : `@${digest}`;
}

/** One queue for each host, so that a slow registry holds up nobody else's images. */
function turns(concurrency: number): (host: string) => LimitFunction {
  const hosts = new Map<string, LimitFunction>();
  return (host) => {
    const turn = hosts.get(host) ?? pLimit(concurrency);
    hosts.set(host, turn);
    return turn;
  };
}
