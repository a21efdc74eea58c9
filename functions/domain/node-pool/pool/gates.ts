import type { ClosedGate } from "../../gates/closed-gate.ts";
import type { GateSubject } from "../../gates/gate.ts";
import { describeGate } from "../../gates/describe-gate.ts";
import { parseDigest } from "../node/node-state.ts";
import type { Membership } from "./membership.ts";
import type { NodePool } from "./node-pool.ts";

/** Reports whether a node of a pool does not run an image: only then a gate matters. */
export function isBehind({ members, joining }: Membership, image: string | null): boolean {
  const digest = parseDigest(image ?? "");
  return joining.length > 0 || members.some(({ bootcNode }) => bootcNode.bootedDigest !== digest);
}

/** Says which gates keep the nodes of a pool from its target, and who or what opens each. */
export function describeGates(gates: readonly ClosedGate[]): string {
  return `it waits for ${gates.map(describeGate).join("; and for ")}`;
}

/** Returns a pool as gates judge it. A freeze of some namespaces is for none. */
export function gateSubject({ name }: NodePool): GateSubject {
  return { ref: { kind: "BootcNodePool", namespace: "", name }, policy: {} };
}
