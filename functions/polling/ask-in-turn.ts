import pLimit, { type LimitFunction } from "p-limit";
import type { ImageReference } from "../domain/image-reference.ts";
import type { Registry } from "../ports/registry.ts";
import { assertTime } from "./time-is-up.ts";

/** More than the adapter lets through to one host at once, so that its queue never runs dry, and is short at the end. */
const questionsPerHost = 16;

/** Of so many hosts as stand still it takes 64 to hold up the others; a Lambda has 1,024 file descriptors. */
const questions = 64 * questionsPerHost;

/**
 * The same registries, each with a queue of its own, so that one that stalls holds up nobody but itself. When time is up
 * what waits in a queue is not asked any more: a warm function would ask it in its next poll. Notes who has `answered`.
 */
export function askInTurn(registry: Registry, answered: Set<string>, outOfTime: AbortSignal): Registry {
  const queues = new Map<string, LimitFunction>();
  const overall = pLimit(questions);

  async function ask<Answer>({ registry: host }: ImageReference, question: () => Promise<Answer>): Promise<Answer> {
    const inTurn = queues.get(host) ?? pLimit(questionsPerHost);
    queues.set(host, inTurn);
    const answer = await inTurn(() =>
      overall(() => {
        assertTime(outOfTime);
        return question();
      }),
    );
    answered.add(host);
    return answer;
  }

  return {
    listTags: (image, logins) => ask(image, () => registry.listTags(image, logins)),
    digestOf: (image, logins) => ask(image, () => registry.digestOf(image, logins)),
    digestsOf: (image, logins) => ask(image, () => registry.digestsOf(image, logins)),
  };
}
