import type { NodeStep } from "../../../../functions/domain/node-pool/step/step.ts";
import { applyStep, writtenObject } from "../../../support/fakes/apply-step.ts";
import type { Machine, World } from "./world.ts";

/** Applies a step like the adapter: one write to one object. */
export function apply({ now, pool }: World, machine: Machine, step: NodeStep): void {
  if (step.kind === "wait" || step.kind === "none") return;
  if (step.kind === "evict") {
    if (!machine.isEvictionBlocked) machine.pods = machine.pods.map((pod) => ({ ...pod, isBeingDeleted: true }));
    return;
  }
  if (step.kind === "cordon") machine.cordonedBy ??= "pawl";
  if (step.kind === "uncordon") machine.cordonedBy = null;
  if (step.kind === "leave-cordoned") machine.cordonedBy = "person";
  const { name, uid } = pool;
  const { node, bootcNode } = applyStep(machine, step, { pool: { name, uid }, now });
  const isCreatedOrDeleted = machine.bootcNode === null || bootcNode === null;
  machine.node = node;
  machine.bootcNode = bootcNode;
  if (!isCreatedOrDeleted || writtenObject(step) === "node") machine.versions[writtenObject(step)] += 1;
}
