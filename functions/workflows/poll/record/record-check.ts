import { planCheckRecord, isEmpty, isNothingNew } from "../../../domain/workload/record/record-check.ts";
import { ownerEvent } from "../../../domain/workload/event/events.ts";
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
  if (change !== null && isOptingIn(workload)) await announceOwner(ports, workload);
  if (change !== null) await ports.cluster.change(workload, change);
  for (const one of events) await emitEvent(ports, workload, one);
  return "recorded";
}

/** Nothing is recorded of it yet: its record, or the first status of it, follows. */
function isOptingIn({ record, policy }: Workload): boolean {
  return policy.optIn !== "no" && (record.state === "missing" || record.isNew === true);
}

/** Emits the Event about another owner of the image before the record exists: repeated, it is one Event. */
async function announceOwner({ cluster }: RecordPorts, workload: Workload): Promise<void> {
  const owned = await cluster.readOwner(workload);
  if (owned !== null) await cluster.emitEvent(workload, ownerEvent(workload, owned));
}
