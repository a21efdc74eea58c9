import * as v from "valibot";
import {
  type AwsRates,
  clustersOfDefault,
  defaultAwsRates,
  minAwsRate,
} from "../../functions/domain/budget/aws-rates.ts";
import { type BudgetResource, defaultNamespaceLimits } from "../../functions/domain/budget/limits.ts";
import { closedObject, setting } from "../../functions/domain/text/schema.ts";
import * as grammar from "./grammar.ts";

function amount(resource: BudgetResource, what: string) {
  const description = `${what} ${defaultNamespaceLimits[resource]} if absent.`;
  return setting(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(1_000_000_000_000)), description);
}

/** What one namespace may use. A field that is absent has its default, so that a later version may change that. */
const namespaceLimits = closedObject({
  requests: amount("requests", "Requests to registries in one poll, while other namespaces wait."),
  names: amount("names", "Names of registries that are resolved in one poll, while other namespaces wait."),
  connections: amount("connections", "Requests to registries at a time, while other namespaces wait."),
  bytes: amount("bytes", "Bytes of answers of registries in memory at a time, while they have no space together."),
  cpuMilliseconds: amount(
    "cpuMilliseconds",
    "Milliseconds of CPU time of decisions in one poll, while other namespaces wait.",
  ),
  expressionSteps: amount(
    "expressionSteps",
    "Steps of tag patterns and version constraints in one poll, while other namespaces wait.",
  ),
  records: amount(
    "records",
    "Decisions that are written in one poll, each with its AutoUpdate, Events and notifications.",
  ),
  executions: amount("executions", "Executions that are started in one poll."),
} satisfies Record<BudgetResource, unknown>);

const maxAwsRate = 100_000;

function rate(name: keyof AwsRates, operation: string) {
  const description = `${operation} a second. ${defaultAwsRates[name]} of each cluster if absent, ${defaultAwsRates[name] * clustersOfDefault} of more than ${clustersOfDefault} together.`;
  const expected = `a number from ${minAwsRate} to ${maxAwsRate}`;
  const number = v.pipe(v.number(expected), v.minValue(minAwsRate, expected), v.maxValue(maxAwsRate, expected));
  return setting(number, description);
}

const awsRates = closedObject({
  startsPerSecond: rate("startsPerSecond", "StartExecution"),
  describesPerSecond: rate("describesPerSecond", "DescribeExecution"),
  eventsPerSecond: rate("eventsPerSecond", "PutEvents"),
} satisfies Record<keyof AwsRates, unknown>);

export const concurrencyMax = 100_000;

function concurrency(what: string, usual: string) {
  const description = `How many workloads ${what} are updated at a time. ${usual} if absent.`;
  return setting(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(concurrencyMax)), description);
}

export const limits = closedObject({
  maxConcurrent: concurrency("of each cluster", "A tenth of those that opted in, at least 5 and at most 50,"),
  perNamespace: concurrency("of a namespace", "As many as of its cluster"),
  perRepository: concurrency("of a cluster with images of one repository", "As many as of the cluster"),
  haltAfter: setting(
    v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(1000)),
    "In how many workloads a version may fail before it is held in all others. 2 if absent.",
  ),
  haltScope: setting(
    v.picklist(["namespace", "cluster", "deployment"]),
    "cluster: failures in two namespaces hold it in the whole cluster. deployment: also one in the workload of the same name in a peer. namespace if absent.",
  ),
  aws: setting(
    awsRates,
    "What the deployment requests of AWS in each account and region. Its clusters there have equal shares.",
  ),
  namespace: setting(namespaceLimits, "What each namespace may use."),
  overrides: setting(v.record(grammar.namespace, namespaceLimits), "The same for some namespaces, by name."),
});
