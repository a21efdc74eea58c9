import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";
import { BudgetExceeded } from "../../../domain/budget/budget-exceeded.ts";
import type { ScanResult } from "../../../domain/gates/scan.ts";
import { type ImageReference, manifestKey } from "../../../domain/image/reference.ts";
import { digestsIn, type ResolvedImage } from "../../../domain/image/resolved-image.ts";
import type { PullLogins, PushTimes, Registry } from "../../../ports/registry.ts";

/** Size of the cache of answers. Workloads that wait for an answer get it in any case; the cache is for later ones. */
const maxCacheBytes = 48 * 1024 * 1024;
const bytesPerEntry = 256;

/**
 * Asks for each thing once for all workloads with the same logins, for the namespace that asks first. A failure fails all of them,
 * but for a budget that is exceeded: then another namespace asks for itself.
 */
export function memoizeRegistry(registry: Registry): Registry {
  const pushTimes = new Map<string, Promise<PushTimes>>();
  const resolved = memoize(registry.resolve.bind(registry), manifestKey);
  const digests = memoize(registry.digestOf.bind(registry), manifestKey);
  const resolve = resolved.ask;
  const scanOf =
    registry.scanOf === undefined ? {} : { scanOf: memoize(registry.scanOf.bind(registry), manifestKey).ask };
  return {
    ...scanOf,
    resolve,
    digestsOf: async (...request) => digestsIn(await resolve(...request)),
    // What is resolved already is the answer to both, so that one decision has one digest.
    digestOf: (...request) =>
      resolved.has(request[0], request[1]) ? resolve(...request).then(({ digest }) => digest) : digests.ask(...request),
    pushTimes(image, tags, payer) {
      const key = JSON.stringify([image.registry, image.repository, ...tags]);
      const asked = pushTimes.get(key) ?? Promise.resolve(registry.pushTimes?.(image, tags, payer) ?? new Map());
      pushTimes.set(key, asked);
      return asked;
    },
    listTags: memoize(registry.listTags.bind(registry), ({ registry: host, repository }) => `${host}/${repository}`)
      .ask,
  };
}

type Request<Answer> = (image: ImageReference, logins?: PullLogins, payer?: string) => Promise<Answer>;

interface Asked<Answer> {
  readonly payer: string;
  readonly answer: Promise<Answer>;
}

interface Memoized<Answer> {
  readonly ask: Request<Answer>;
  /** Reports whether it was asked for before. */
  readonly has: (image: ImageReference, logins?: PullLogins) => boolean;
}

type Cached = string | readonly string[] | ResolvedImage | ScanResult;

function memoize<Answer extends Cached>(
  request: Request<Answer>,
  keyOf: (image: ImageReference) => string,
): Memoized<Answer> {
  const pending = new Map<string, Asked<Answer>>();
  const cache = new LRUCache<string, Asked<Answer>>({ maxSize: maxCacheBytes });

  function ask(key: string, image: ImageReference, logins: PullLogins, payer: string): Asked<Answer> {
    const asked = { payer, answer: request(image, logins, payer) };
    pending.set(key, asked);
    void keep(key, asked);
    return asked;
  }

  function release(key: string, asked: Asked<Answer>): void {
    if (pending.get(key) === asked) pending.delete(key);
  }

  async function keep(key: string, asked: Asked<Answer>): Promise<void> {
    const size = await asked.answer.then(approximateBytes, (error: unknown) => (isOfPayer(error) ? null : 0));
    release(key, asked);
    if (size !== null) cache.set(key, asked, { size: bytesPerEntry + key.length + size });
  }

  const keyWith = (image: ImageReference, logins: PullLogins) =>
    `${keyOf(image)} ${logins.length === 0 ? "" : fingerprint(logins)}`;

  async function answer(image: ImageReference, logins: PullLogins = [], payer = ""): Promise<Answer> {
    const key = keyWith(image, logins);
    const asked = pending.get(key) ?? cache.get(key) ?? ask(key, image, logins, payer);
    try {
      return await asked.answer;
    } catch (error) {
      if (!isOfPayer(error) || asked.payer === payer) throw error;
      release(key, asked);
      return answer(image, logins, payer);
    }
  }

  const has = (image: ImageReference, logins: PullLogins = []) => {
    const key = keyWith(image, logins);
    return pending.has(key) || cache.has(key);
  };
  return { ask: answer, has };
}

/** Reports whether the namespace that asked could not afford the answer. Another one may. */
function isOfPayer(error: unknown): boolean {
  return error instanceof BudgetExceeded;
}

function approximateBytes(answer: Cached): number {
  if (typeof answer === "string") return answer.length;
  const items = textsIn(answer);
  return items.reduce((bytes, item) => bytes + item.length + 24, 0);
}

function textsIn(answer: Exclude<Cached, string>): readonly string[] {
  if ("digest" in answer) return digestsIn(answer);
  if (!("kind" in answer)) return answer;
  return answer.kind === "complete" ? answer.findings.map(({ name }) => name) : [answer.reason];
}

/** Logins are secrets: only their hash is kept. */
function fingerprint(logins: PullLogins): string {
  return createHash("sha256").update(JSON.stringify(logins)).digest("base64");
}
