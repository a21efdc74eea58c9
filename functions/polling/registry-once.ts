import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { ImageReference } from "../domain/image-reference.ts";
import type { PullLogins, Registry } from "../ports/registry.ts";

/** Of what was answered already. All that waits for an answer is there when it comes: it is kept for who looks again. */
const keptBytes = 48 * 1024 * 1024;
const entryBytes = 256;

/**
 * Asks for each thing once, however many workloads need it, as long as they ask with the same logins; what fails once fails
 * for each of them.
 */
export function registryOnce(registry: Registry): Registry {
  return {
    listTags: once(registry.listTags.bind(registry), ({ registry: host, repository }) => `${host}/${repository}`),
    digestOf: once(registry.digestOf.bind(registry), manifest),
    digestsOf: once(registry.digestsOf.bind(registry), manifest),
  };
}

type Ask<Answer> = (image: ImageReference, logins?: PullLogins) => Promise<Answer>;

function once<Answer extends string | readonly string[]>(
  ask: Ask<Answer>,
  keyOf: (image: ImageReference) => string,
): Ask<Answer> {
  const waiting = new Map<string, Promise<Answer>>();
  const answered = new LRUCache<string, Promise<Answer>>({ maxSize: keptBytes });

  async function askNow(key: string, image: ImageReference, logins: PullLogins): Promise<Answer> {
    const answer = ask(image, logins);
    waiting.set(key, answer);
    const size = await answer.then(sizeOf, () => 0);
    waiting.delete(key);
    answered.set(key, answer, { size: entryBytes + key.length + size });
    return answer;
  }

  return (image, logins = []) => {
    const key = `${keyOf(image)} ${logins.length === 0 ? "" : fingerprint(logins)}`;
    return waiting.get(key) ?? answered.get(key) ?? askNow(key, image, logins);
  };
}

/** About the bytes that it takes. */
function sizeOf(answer: string | readonly string[]): number {
  return typeof answer === "string" ? answer.length : answer.reduce((bytes, one) => bytes + one.length + 24, 0);
}

function manifest({ registry, repository, tag, digest }: ImageReference): string {
  return `${registry}/${repository}:${tag ?? "latest"}@${digest ?? ""}`;
}

/** Logins are secrets: they are compared, and not kept. */
function fingerprint(logins: PullLogins): string {
  return createHash("sha256").update(JSON.stringify(logins)).digest("base64");
}
