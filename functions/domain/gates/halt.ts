import { summarizeList } from "../text/summarize-list.ts";
import { imageOfTarget, versionOfTarget } from "../workload/target/target.ts";
import type { Workload } from "../workload/workload.ts";
import type { Gate } from "./gate.ts";
import { repositoryOf } from "./limits/start-facts.ts";

/** The workloads in which each version of a repository has failed, by namespace. */
export type FailuresElsewhere = ReadonlyMap<string, readonly string[]>;

/** In how many workloads of a namespace a version may fail before all others of the namespace are held. */
const haltAfter = 2;

/** Collects what has failed among workloads. */
export function collectFailures(workloads: Iterable<Workload>): FailuresElsewhere {
  const failures = new Map<string, string[]>();
  for (const { ref, source, image, updateRecord } of workloads)
    for (const version of updateRecord.failedVersions) {
      const key = keyOf(ref.namespace, source ?? image ?? "", version);
      failures.set(key, [...(failures.get(key) ?? []), `${ref.kind.toLowerCase()}/${ref.name}`]);
    }
  return failures;
}

/** Returns the gate of a version that has failed in other workloads of the namespace. */
export function createHaltGate(failures: FailuresElsewhere): Gate {
  return {
    name: "haltedElsewhere",
    hold: "halted",
    isEvaluatedAgain: false,
    hasFacts: true,
    evaluate({ ref }, target) {
      if (target === null) return null;
      const version = versionOfTarget(target);
      // A poll reads workloads in any order, and a message that differs is written again.
      const failed = (failures.get(keyOf(ref.namespace, imageOfTarget(target), version)) ?? []).toSorted();
      if (failed.length < haltAfter) return null;
      return {
        reason: "HaltedElsewhere",
        message: `${version} has failed in ${failed.length} workloads of the namespace: ${summarizeList(failed).join(", ")}`,
        liftedBy: `pawl retry of ${failed[0]}`,
      };
    },
  };
}

function keyOf(namespace: string, image: string, version: string): string {
  return `${namespace} ${repositoryOf(image)} ${version}`;
}
