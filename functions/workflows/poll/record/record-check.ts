import { planCheckRecord, isEmpty, isNothingNew } from "../../../domain/workload/record/record-check.ts";
import type { Workload } from "../../../domain/workload/workload.ts";
import type { CheckDecision, CheckRecorder } from "../../../ports/check-recorder.ts";
import type { Ports } from "../../../contract/ports.ts";
import { emitEvent, restoreEvents } from "../../emit-events.ts";
import { createPacedQueue } from "./pace-writes.ts";

type RecordPorts = Pick<Ports, "cluster" | "events" | "now">;

/** How many workloads are written concurrently: what a cluster's API server can take. */
const maxConcurrentWrites = 32;

/**
 * Creates a recorder that writes and emits in this process. It emits only what it could write: if the workload has changed
 * meanwhile, the next poll evaluates it again.
 */
export function createInProcessCheckRecorder(ports: RecordPorts): CheckRecorder {
  const paced = createPacedQueue(maxConcurrentWrites);
  return {
    async record(workload, decision) {
      if (isEmpty(planCheckRecord(workload, decision, ports.now()))) return "none";
      return paced(() => recordDecision(ports, workload, decision));
    },
  };
}

/** Writes and emits what a decision means for a workload. Throws what `CheckRecorder` throws. */
export async function recordDecision(
  ports: RecordPorts,
  workload: Workload,
  decision: CheckDecision,
): Promise<"recorded" | "none"> {
  const planned = planCheckRecord(workload, decision, ports.now());
  const { change, events, recentEvents } = planned;
  await restoreEvents(ports, workload, recentEvents);
  if (isNothingNew(planned)) return "none";
  if (change !== null) await ports.cluster.change(workload, change);
  for (const one of events) await emitEvent(ports, workload, one);
  return "recorded";
}
