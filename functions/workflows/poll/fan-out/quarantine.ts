import type { Ports } from "../../../contract/ports.ts";
import type { FailedBatch } from "../../../domain/execution/poll-batches.ts";
import { isQuarantined, quarantineHold } from "../../../domain/workload/update/quarantine.ts";
import type { Workload } from "../../../domain/workload/workload.ts";
import { retryOnConflict } from "../../retry-on-conflict.ts";
import type { Warn } from "../report.ts";
import { readBatch } from "./work-list-lines.ts";

type QuarantinePorts = Pick<Ports, "workList" | "checkRecorder" | "cluster" | "now">;

const maxAttempts = 4;

/**
 * Records that a workload ends the function that evaluates it, so that polls leave it out for a while. Never throws: returns whether
 * that could be recorded. Idempotent.
 */
export async function quarantine(
  ports: QuarantinePorts,
  poll: string,
  { batch, error: cause }: FailedBatch,
  warn: Warn,
): Promise<boolean> {
  let about: object = { bucket: batch.bucket, line: batch.from };
  try {
    for await (const workload of readBatch(ports.workList, poll, batch)) {
      about = { workload: workload.ref };
      if (!(await record(ports, workload, cause))) throw new Error("nothing can be recorded on it");
    }
    warn("workload quarantined", about);
    return true;
  } catch (error) {
    const { name, message } = error instanceof Error ? error : new Error(String(error));
    warn("workload not quarantined", { ...about, failure: name, reason: message });
    return false;
  }
}

/** Returns false if the workload has no object to record it on. One that was deleted needs no record. */
function record(
  { cluster, checkRecorder, now }: QuarantinePorts,
  listed: Workload,
  cause: string | null,
): Promise<boolean> {
  return retryOnConflict<Workload | null, boolean>({
    attempts: maxAttempts,
    current: listed,
    read: () => cluster.read(listed.ref),
    write: async (workload) => {
      if (workload === null || isQuarantined(workload, now())) return true;
      return (await checkRecorder.record(workload, quarantineHold(workload, cause))) === "recorded";
    },
  });
}
