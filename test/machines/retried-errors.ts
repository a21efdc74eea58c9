import { readMachine } from "./asl-files.ts";
import { recordsIn, statesOf, stringsIn } from "./lint/definition.ts";

/** How often a Task is tried, by the first error of each Retrier. */
const triesByFirst: Readonly<Record<string, number>> = {
  "Lambda.TooManyRequestsException": 125,
  "Lambda.ServiceException": 15,
  Unreachable: 241,
};

/** Errors of Pawl's own ports end the execution as a cluster that does not answer. */
const ofTheCluster: ReadonlySet<string> = new Set(["Throttled", "Unreachable", "Forbidden", "Conflict"]);

/** Every error that all machines retry, with the maximum number of tries of a Task and the error that ends the execution. */
export const retriedErrors = retriedLists().flatMap((errors) =>
  errors.map((error) => ({
    error,
    tries: triesByFirst[errors[0] ?? ""] ?? 0,
    ending: ofTheCluster.has(error) ? "ClusterUnreachable" : "PlatformError",
  })),
);

function retriedLists(): readonly (readonly string[])[] {
  const [first] = statesOf(readMachine("workload-update"), "Task");
  return recordsIn(first?.[1]["Retry"]).map((retrier) => stringsIn(retrier["ErrorEquals"]));
}
