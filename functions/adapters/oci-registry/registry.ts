import pLimit, { type LimitFunction } from "p-limit";
import type { ImageReference } from "../../domain/image-reference.ts";
import type { Registry } from "../../ports/registry.ts";
import { createAuthority } from "./authority.ts";
import { digestOf } from "./digest-of.ts";
import { listTags } from "./list-tags.ts";
import { insecureHostSet, named } from "./places.ts";
import { defaultLimits, type Asking, type Limits, type RegistrySettings } from "./settings.ts";

/**
 * Registries that speak the OCI distribution API. Keeps tokens, but no answers: each call asks anew, and one that needs
 * a listing twice remembers it.
 */
export function ociRegistry({ credentials, insecureHosts, now, limits: own }: RegistrySettings): Registry {
  const limits: Limits = { ...defaultLimits, ...own };
  const insecure = insecureHostSet(insecureHosts);
  const bounds = { seconds: limits.requestSeconds, bytes: limits.answerBytes };
  const authority = createAuthority({ credentials, insecureHosts: insecure, bounds, now });
  const turnAt = turns(limits.concurrentPerHost);

  async function inTurn<Result>(image: ImageReference, subject: string, run: (asking: Asking) => Promise<Result>) {
    return turnAt(image.registry)(() => {
      const deadline = performance.now() + limits.operationSeconds * 1000;
      return run({ image, subject, limits, insecureHosts: insecure, authority, now, deadline });
    });
  }

  return {
    listTags: (image) => inTurn(image, named(image), listTags),
    digestOf: (image) => inTurn(image, named(image) + wanted(image), digestOf),
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
