import { consequencesOf, isNothing } from "../domain/check-consequences.ts";
import type { Checks } from "../ports/checks.ts";
import { type Recorder, recorder } from "./lambda-invocation.ts";

interface Options extends Recorder {
  /** The cluster's name. */
  readonly cluster: string;
  readonly now: () => Date;
}

/**
 * Has the function `record-check` write and tell, and waits for it. Nothing is invoked where there is nothing to write or
 * tell, as it is for most workloads at most polls. Besides what the port names, `record` may throw `RecordCheckFailed`.
 */
export function lambdaChecks({ cluster, now, ...options }: Options): Checks {
  const record = recorder(options);
  return {
    async record(workload, decision) {
      if (isNothing(consequencesOf(workload, decision, now()))) return "none";
      const { ref, resourceVersion } = workload;
      return record({ cluster, workload: ref, resourceVersion, decision });
    },
  };
}
