import * as v from "valibot";
import { defaultNamespaceLimits } from "../../functions/domain/budget/limits.ts";
import { closedObject } from "../../functions/domain/text/schema.ts";
import * as grammar from "./grammar.ts";

function amount(what: string, usual: number) {
  const description = `${what} in one poll, while other namespaces wait. ${usual} if absent.`;
  return v.optional(
    v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(1_000_000_000), v.description(description)),
  );
}

/** What one namespace may use. A field that is absent has its default, so that a later version may change that. */
const namespaceLimits = closedObject({
  requests: amount("Requests to registries", defaultNamespaceLimits.requests),
  names: amount("Names of registries that are resolved", defaultNamespaceLimits.names),
  cpuMilliseconds: amount("Milliseconds of CPU time of decisions", defaultNamespaceLimits.cpuMilliseconds),
});

function concurrency(what: string, usual: string) {
  const description = `How many workloads ${what} are updated at a time. ${usual} if absent.`;
  return v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(100_000), v.description(description)));
}

export const limits = closedObject({
  maxConcurrent: concurrency("of each cluster", "A tenth of those that opted in, at least 5 and at most 50,"),
  perNamespace: concurrency("of a namespace", "As many as of its cluster"),
  perRepository: concurrency("of a cluster with images of one repository", "As many as of the cluster"),
  namespace: v.optional(v.pipe(namespaceLimits, v.description("What each namespace may use."))),
  overrides: v.optional(
    v.pipe(v.record(grammar.namespace, namespaceLimits), v.description("The same for some namespaces, by name.")),
  ),
});
