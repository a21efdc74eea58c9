import { planCheckRecord, isEmpty } from "../../domain/workload/record-check.ts";
import type { CheckRecorder } from "../../ports/check-recorder.ts";
import type { Ports } from "../../contract/ports.ts";
import { emitEvent } from "../emit-events.ts";

/**
 * Creates a recorder that writes and emits in this process. It emits only what it could write: if the workload has changed
 * meanwhile, the next poll evaluates it again.
 */
export function createInProcessCheckRecorder(ports: Pick<Ports, "cluster" | "events" | "now">): CheckRecorder {
  return {
    async record(workload, decision) {
      const consequences = planCheckRecord(workload, decision, ports.now());
      if (isEmpty(consequences)) return "none";
      if (consequences.change !== null) await ports.cluster.change(workload, consequences.change);
      for (const one of consequences.events) await emitEvent(ports, workload, one);
      return "recorded";
    },
  };
}
