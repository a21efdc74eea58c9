import type { NodeStep } from "../../../../functions/domain/node-pool/step.ts";
import { afterStep, objectOf } from "../../../support/after-step.ts";
import type { Machine, World } from "./world.ts";

/** Writes a step as an adapter would: one object, in one write. */
export function apply({ now, pool }: World, machine: Machine, step: NodeStep): void {
  if (step.kind === "wait" || step.kind === "none") return;
  if (step.kind === "evict") {
    if (!machine.isBlocked) machine.pods = machine.pods.map((pod) => ({ ...pod, isBeingDeleted: true }));
    return;
  }
  if (step.kind === "cordon") machine.cordonedBy ??= "pawl";
  if (step.kind === "uncordon") machine.cordonedBy = null;
  if (step.kind === "leave-cordoned") machine.cordonedBy = "person";
  const { name, uid } = pool;
  const { node, bootcNode } = afterStep(machine, step, { pool: { name, uid }, now });
  const isMade = machine.bootcNode === null || bootcNode === null;
  machine.node = node;
  machine.bootcNode = bootcNode;
  if (!isMade || objectOf(step) === "node") machine.versions[objectOf(step)] += 1;
}
