import { readMachine } from "./asl-files.ts";
import { recordsIn, statesOf, stringsIn } from "./lint/definition.ts";

/** How often a Task is tried, by the first error of each Retrier; `ending` is the error of the execution after the last try. */
const retriers = [
  { first: "Lambda.TooManyRequestsException", tries: 71, ending: "PlatformError" },
  { first: "Lambda.ServiceException", tries: 15, ending: "PlatformError" },
  { first: "Unreachable", tries: 241, ending: "ClusterUnreachable" },
  { first: "Conflict", tries: 13, ending: "ClusterUnreachable" },
] as const;

/** Errors of Pawl's own ports end the execution as a cluster that does not answer. */
const ofTheCluster: ReadonlySet<string> = new Set(["Throttled", "Unreachable", "Forbidden", "Conflict"]);

/** Every error that all machines retry, with the maximum number of tries of a Task and the error that ends the execution. */
export const retriedErrors = retriedLists().flatMap((errors) => {
  const { tries, ending } = retriers.find(({ first }) => first === errors[0]) ?? { tries: 0, ending: "" };
  return errors.map((error) => ({
    error,
    tries,
    ending: ofTheCluster.has(error) ? "ClusterUnreachable" : ending,
  }));
});

function retriedLists(): readonly (readonly string[])[] {
  const [first] = statesOf(readMachine("workload-update"), "Task");
  return recordsIn(first?.[1]["Retry"]).map((retrier) => stringsIn(retrier["ErrorEquals"]));
}
