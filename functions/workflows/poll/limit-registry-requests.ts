import { BudgetExceeded } from "../../domain/budget/budget-exceeded.ts";
import type { FairQueue } from "../../domain/budget/fair-queue.ts";
import type { PollBudget } from "../../domain/budget/poll-budget.ts";
import type { ImageReference } from "../../domain/image/reference.ts";
import { RegistryAnswerInvalid, Unreachable } from "../../ports/errors.ts";
import type { Registry } from "../../ports/registry.ts";
import { throwIfPastDeadline } from "./deadline.ts";

/** More than the adapter sends to one host concurrently, so that the adapter's queue is short but never empty. */
const maxRequestsPerHost = 16;

/** Hosts that are asked for the first time. The adapter bounds how many names it asks for at a time. */
const maxNames = 1024;

/** 112 hosts have to stall before they block the others. The adapter has 8 connections to each; a Lambda has 1,024 file descriptors. */
const maxRequests = 112 * maxRequestsPerHost;

/**
 * Gives each registry a queue of its own, so that one that stalls does not delay the others. After the deadline, queued requests
 * are dropped: a warm function would send them during its next poll. A registry that has not
 * answered yet, or whose last answer did not arrive or is invalid, gets one request at a time: it may be hostile. Wherever requests wait,
 * namespaces take turns. Requests for digests have places of their own: those of what a listing has shown do not wait for all other listings.
 */
export function limitPerRegistry(
  registry: Registry,
  budget: Pick<PollBudget, "createQueue">,
  signal: AbortSignal,
): Registry {
  const queues = new Map<string, FairQueue>();
  const ofAllHosts = budget.createQueue(maxRequests, "requests", "connections");
  const names = budget.createQueue(maxNames, "names");

  /** The first request to a host pays for its name. */
  async function ask<Answer>(isFirst: boolean, payer: string, request: () => Promise<Answer>): Promise<Answer> {
    ofAllHosts.spend(payer, 1);
    if (!isFirst) return ofAllHosts.run(payer, request);
    names.spend(payer, 1);
    return names.run(payer, () => ofAllHosts.run(payer, request));
  }

  async function queue<Answer>(
    { registry: host }: ImageReference,
    payer: string,
    request: () => Promise<Answer>,
    kind: "tags" | "digests" = "digests",
  ): Promise<Answer> {
    const known = queues.get(`${kind} ${host}`);
    const limitHost = known ?? budget.createQueue(1);
    queues.set(`${kind} ${host}`, limitHost);
    const run = () => {
      throwIfPastDeadline(signal);
      return request();
    };
    return limitHost.run(payer, async () => {
      try {
        const answer = await ask(known === undefined, payer, run);
        limitHost.concurrency = maxRequestsPerHost;
        return answer;
      } catch (error) {
        // What its namespace cannot afford says nothing about the registry.
        if (!(error instanceof BudgetExceeded)) limitHost.concurrency = isSuspicious(error) ? 1 : maxRequestsPerHost;
        throw error;
      }
    });
  }

  const scanOf = registry.scanOf?.bind(registry);
  return {
    ...(scanOf === undefined
      ? {}
      : { scanOf: (image, logins, payer = "") => queue(image, payer, () => scanOf(image, logins, payer)) }),
    listTags: (image, logins, payer = "") => queue(image, payer, () => registry.listTags(image, logins, payer), "tags"),
    digestOf: (image, logins, payer = "") => queue(image, payer, () => registry.digestOf(image, logins, payer)),
    resolve: (image, logins, payer = "") => queue(image, payer, () => registry.resolve(image, logins, payer)),
    digestsOf: (image, logins, payer = "") => queue(image, payer, () => registry.digestsOf(image, logins, payer)),
    pushTimes: async (image, tags, payer = "") =>
      registry.pushTimes === undefined
        ? new Map()
        : queue(image, payer, async () => (await registry.pushTimes?.(image, tags, payer)) ?? new Map()),
  };
}

function isSuspicious(error: unknown): boolean {
  return error instanceof Unreachable || error instanceof RegistryAnswerInvalid;
}
