import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { ImageReference } from "../../../domain/image/reference.ts";
import type { PullLogins, PushTimes, Registry } from "../../../ports/registry.ts";

/** Size of the cache of answers. Workloads that wait for an answer get it in any case; the cache is for later ones. */
const maxCacheBytes = 48 * 1024 * 1024;
const bytesPerEntry = 256;

/** Asks for each thing once for all workloads with the same logins, for the namespace that asks first. A failure fails all of them. */
export function memoizeRegistry(registry: Registry): Registry {
  const pushTimes = new Map<string, Promise<PushTimes>>();
  return {
    pushTimes(image, tags, payer) {
      const key = JSON.stringify([image.registry, image.repository, ...tags]);
      const asked = pushTimes.get(key) ?? Promise.resolve(registry.pushTimes?.(image, tags, payer) ?? new Map());
      pushTimes.set(key, asked);
      return asked;
    },
    listTags: memoize(registry.listTags.bind(registry), ({ registry: host, repository }) => `${host}/${repository}`),
    digestOf: memoize(registry.digestOf.bind(registry), manifestKey),
    digestsOf: memoize(registry.digestsOf.bind(registry), manifestKey),
  };
}

type Request<Answer> = (image: ImageReference, logins?: PullLogins, payer?: string) => Promise<Answer>;

function memoize<Answer extends string | readonly string[]>(
  request: Request<Answer>,
  keyOf: (image: ImageReference) => string,
): Request<Answer> {
  const pending = new Map<string, Promise<Answer>>();
  const cache = new LRUCache<string, Promise<Answer>>({ maxSize: maxCacheBytes });

  async function requestAndCache(key: string, ...asked: Parameters<Request<Answer>>): Promise<Answer> {
    const answer = request(...asked);
    pending.set(key, answer);
    const size = await answer.then(approximateBytes, () => 0);
    pending.delete(key);
    cache.set(key, answer, { size: bytesPerEntry + key.length + size });
    return answer;
  }

  return (image, logins = [], payer) => {
    const key = `${keyOf(image)} ${logins.length === 0 ? "" : fingerprint(logins)}`;
    return pending.get(key) ?? cache.get(key) ?? requestAndCache(key, image, logins, payer);
  };
}

function approximateBytes(answer: string | readonly string[]): number {
  return typeof answer === "string" ? answer.length : answer.reduce((bytes, item) => bytes + item.length + 24, 0);
}

function manifestKey({ registry, repository, tag, digest }: ImageReference): string {
  return `${registry}/${repository}:${tag ?? "latest"}@${digest ?? ""}`;
}

/** Logins are secrets: only their hash is kept. */
function fingerprint(logins: PullLogins): string {
  return createHash("sha256").update(JSON.stringify(logins)).digest("base64");
}
