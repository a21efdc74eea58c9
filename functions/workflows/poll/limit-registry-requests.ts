import pLimit, { type LimitFunction } from "p-limit";
import type { ImageReference } from "../../domain/image/reference.ts";
import { RegistryAnswerInvalid, Unreachable } from "../../ports/errors.ts";
import type { Registry } from "../../ports/registry.ts";
import { throwIfPastDeadline } from "./deadline.ts";

/** More than the adapter sends to one host concurrently, so that the adapter's queue is short but never empty. */
const maxRequestsPerHost = 16;

/** 112 hosts have to stall before they block the others. The adapter has 8 connections to each; a Lambda has 1,024 file descriptors. */
const maxRequests = 112 * maxRequestsPerHost;

/**
 * Gives each registry a queue of its own, so that one that stalls does not delay the others. After the deadline, queued requests
 * are dropped: a warm function would send them during its next poll. A registry that has not
 * answered yet, or whose last answer did not arrive or is invalid, gets one request at a time: it may be hostile.
 */
export function limitPerRegistry(registry: Registry, signal: AbortSignal): Registry {
  const queues = new Map<string, LimitFunction>();
  const limitAll = pLimit(maxRequests);

  async function queue<Answer>({ registry: host }: ImageReference, request: () => Promise<Answer>): Promise<Answer> {
    const limitHost = queues.get(host) ?? pLimit(1);
    queues.set(host, limitHost);
    const run = () => {
      throwIfPastDeadline(signal);
      return request();
    };
    return limitHost(async () => {
      try {
        const answer = await limitAll(run);
        limitHost.concurrency = maxRequestsPerHost;
        return answer;
      } catch (error) {
        limitHost.concurrency = isSuspicious(error) ? 1 : maxRequestsPerHost;
        throw error;
      }
    });
  }

  return {
    listTags: (image, logins) => queue(image, () => registry.listTags(image, logins)),
    digestOf: (image, logins) => queue(image, () => registry.digestOf(image, logins)),
    digestsOf: (image, logins) => queue(image, () => registry.digestsOf(image, logins)),
  };
}

function isSuspicious(error: unknown): boolean {
  return error instanceof Unreachable || error instanceof RegistryAnswerInvalid;
}
