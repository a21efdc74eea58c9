import type { ClosedGate } from "../../functions/domain/gates/closed-gate.ts";
import { createFreezeGate, type Freezes } from "../../functions/domain/gates/freeze.ts";
import { gatesOfHold, isHeldByGate } from "../../functions/domain/gates/gates.ts";
import type { Decision } from "../../functions/domain/workload/decision/decision.ts";
import type { Workload } from "../../functions/domain/workload/workload.ts";
import type { Cluster } from "../../functions/ports/cluster.ts";
import { readFreezes } from "../../functions/workflows/read-freezes.ts";

/** Returns everything that stands between a newer version and its rollout. */
export type ReadClosedGates = (workload: Workload, decision: Decision, now: Date) => Promise<readonly ClosedGate[]>;

/**
 * Returns a function that reads the freezes once. A poll asks for them only if nothing else holds an update; here they are named in any
 * case.
 */
export function createGateReader(cluster: Pick<Cluster, "readFreeze">): ReadClosedGates {
  let freezes: Promise<Freezes> | undefined;
  return async (workload, decision, now) => {
    if (decision.kind !== "hold" || !isHeldByGate(decision)) return [];
    const known = gatesOfHold(workload, decision, now);
    if (known.some(({ name }) => name === "freeze")) return known;
    freezes ??= readFreezes(cluster);
    const closed = createFreezeGate(await freezes).evaluate(workload, decision.target, now);
    return closed === null ? known : [...known, { name: "freeze", ...closed }];
  };
}
