import pLimit, { type LimitFunction } from "p-limit";
import type { ImageReference } from "../../domain/image/reference.ts";
import type { Registry } from "../../ports/registry.ts";
import { throwIfPastDeadline } from "./deadline.ts";

/** More than the adapter sends to one host concurrently, so that the adapter's queue is short but never empty. */
const maxRequestsPerHost = 16;

/** 64 hosts have to stall before they block the others; a Lambda has 1,024 file descriptors. */
const maxRequests = 64 * maxRequestsPerHost;

/**
 * Gives each registry a queue of its own, so that one that stalls does not delay the others. After the deadline, queued requests
 * are dropped: a warm function would send them during its next poll. Adds each registry that responds to `answered`.
 */
export function limitPerRegistry(registry: Registry, answered: Set<string>, signal: AbortSignal): Registry {
  const queues = new Map<string, LimitFunction>();
  const limitAll = pLimit(maxRequests);

  async function queue<Answer>({ registry: host }: ImageReference, request: () => Promise<Answer>): Promise<Answer> {
    const limitHost = queues.get(host) ?? pLimit(maxRequestsPerHost);
    queues.set(host, limitHost);
    const answer = await limitHost(() =>
      limitAll(() => {
        throwIfPastDeadline(signal);
        return request();
      }),
    );
    answered.add(host);
    return answer;
  }

  return {
    listTags: (image, logins) => queue(image, () => registry.listTags(image, logins)),
    digestOf: (image, logins) => queue(image, () => registry.digestOf(image, logins)),
    digestsOf: (image, logins) => queue(image, () => registry.digestsOf(image, logins)),
  };
}
