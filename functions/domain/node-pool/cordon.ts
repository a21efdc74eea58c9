import type { NodeStep } from "./step.ts";
import type { KubeNode, Slot } from "./types.ts";

/**
 * How a node gets back the cordon that it had before its slot; null where it has it. Only "was-cordoned" false uncordons, and only
 * what bears Pawl's mark, which a person's cordon does not. In a slot that bootc-operator gave there is no mark to go by.
 */
export function restoreStep(node: KubeNode, slot: Slot | null): NodeStep | null {
  if (node.cordonedFor !== null) {
    // Without a slot its BootcNode was deleted by hand, and the mark is all that is left.
    return { kind: slot === null || slot.wasCordoned === false ? "uncordon" : "leave-cordoned" };
  }
  const isUnmarked = slot !== null && slot.nodeUid === null && slot.wasCordoned === false;
  return isUnmarked && node.unschedulable ? { kind: "uncordon" } : null;
}

/**
 * Cordons a node for its slot; null once it is cordoned. What a person did to it since the slot was taken is remembered first, so
 * that a node they cordoned stays so, and one they uncordoned does not.
 */
export function cordonStep(node: KubeNode, slot: Slot): NodeStep | null {
  if (!node.unschedulable) {
    return slot.wasCordoned === false ? { kind: "cordon" } : { kind: "remember-cordon", wasCordoned: false };
  }
  const isSomebodyElses = node.cordonedFor === null && slot.nodeUid !== null;
  return isSomebodyElses && slot.wasCordoned !== true ? { kind: "remember-cordon", wasCordoned: true } : null;
}
