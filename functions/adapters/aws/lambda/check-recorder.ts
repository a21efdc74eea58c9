import { planCheckRecord, isEmpty, isNothingNew } from "../../../domain/workload/record/record-check.ts";
import { type Check, type CheckRecorder, maxChecks, type RecordCheckInput } from "../../../ports/check-recorder.ts";
import { createBatcher } from "./batch.ts";
import { createInvoker, maxConcurrentInvocations, parseResult, type RecorderFunction } from "./invoke.ts";

interface Options extends RecorderFunction {
  /** The cluster's name. */
  readonly cluster: string;
  readonly now: () => Date;
  /** How many invocations at a time; defaults to what one process may have. */
  readonly concurrency?: number;
}

/** Lambda accepts 6 MB. https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html */
const maxPayloadBytes = 4 * 1024 * 1024;

/**
 * Creates a recorder that invokes the function `record-check` with batches, and waits for it. Nothing is invoked if there is nothing
 * to write or emit, as for most workloads in most polls. `record` may also throw `RecordCheckFailed`.
 */
export function createLambdaCheckRecorder({
  cluster,
  now,
  concurrency = maxConcurrentInvocations,
  ...options
}: Options): CheckRecorder {
  const { functionName } = options;
  const invoke = createInvoker(options);

  async function send(checks: readonly Check[]): Promise<readonly ("recorded" | "none" | Error)[]> {
    const input: RecordCheckInput = { cluster, checks };
    const response = await invoke(input);
    const results =
      typeof response === "object" && response !== null && "results" in response ? response.results : undefined;
    return checks.map((_, index) => parseResult(Array.isArray(results) ? results[index] : undefined, functionName));
  }

  const record = createBatcher({
    send,
    bytesOf: (check) => Buffer.byteLength(JSON.stringify(check)),
    maxItems: maxChecks,
    maxBytes: maxPayloadBytes,
    concurrency,
  });
  return {
    async record(workload, decision) {
      const planned = planCheckRecord(workload, decision, now());
      if (isEmpty(planned)) return "none";
      const { ref, resourceVersion, record: source } = workload;
      const recorded = record({ workload: ref, resourceVersion, recordVersion: source.resourceVersion, decision });
      // The next poll looks for the lost Event again.
      return isNothingNew(planned) ? recorded.catch(() => "none" as const) : recorded;
    },
  };
}
