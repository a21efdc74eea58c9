import { planCheckRecord, isEmpty } from "../../../domain/workload/record-check.ts";
import type { CheckRecorder } from "../../../ports/check-recorder.ts";
import { type RecorderFunction, createRecorder } from "./invoke.ts";

interface Options extends RecorderFunction {
  /** The cluster's name. */
  readonly cluster: string;
  readonly now: () => Date;
}

/**
 * Creates a recorder that invokes the function `record-check` and waits for it. Nothing is invoked if there is nothing to write or
 * emit, as for most workloads in most polls. `record` may also throw `RecordCheckFailed`.
 */
export function createLambdaCheckRecorder({ cluster, now, ...options }: Options): CheckRecorder {
  const record = createRecorder(options);
  return {
    async record(workload, decision) {
      if (isEmpty(planCheckRecord(workload, decision, now()))) return "none";
      const { ref, resourceVersion, record: source } = workload;
      return record({ cluster, workload: ref, resourceVersion, recordVersion: source.resourceVersion, decision });
    },
  };
}
