import type { NodeStep } from "../step/step.ts";
import type { KubeNode, Slot } from "./bootc-node.ts";

/**
 * Returns the step that restores the cordon which the node had before its slot; null if it is restored. Only
 * "was-cordoned" false uncordons, and only a node with Pawl's mark. `kubectl cordon` of a cordoned node writes nothing
 * and cannot be detected: to keep the node cordoned, set "was-cordoned" to true. A slot of bootc-operator has no mark.
 */
export function planRestoreStep(node: KubeNode, slot: Slot | null): NodeStep | null {
  if (node.cordonedByPool !== null) {
    // Without a slot, the BootcNode was deleted manually and only the mark is left.
    return { kind: slot === null || slot.wasCordoned === false ? "uncordon" : "leave-cordoned" };
  }
  const isUnmarked = slot !== null && slot.nodeUid === null && slot.wasCordoned === false;
  return isUnmarked && node.unschedulable ? { kind: "uncordon" } : null;
}

/**
 * Returns the step that cordons a node for its slot; null once it is cordoned. A manual change between the slot and
 * Pawl's cordon is recorded first. A node that is uncordoned during its drain is cordoned again, as in bootc-operator.
 */
export function planCordonStep(node: KubeNode, slot: Slot): NodeStep | null {
  if (!node.unschedulable) {
    return slot.wasCordoned === false ? { kind: "cordon" } : { kind: "record-cordon", wasCordoned: false };
  }
  const isManualCordon = node.cordonedByPool === null && slot.nodeUid !== null;
  return isManualCordon && slot.wasCordoned !== true ? { kind: "record-cordon", wasCordoned: true } : null;
}
