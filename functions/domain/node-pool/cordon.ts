import type { NodeStep } from "./step.ts";
import type { KubeNode, Slot } from "./types.ts";

/**
 * How a node gets back the cordon that it had before its slot; null where it has it. Only "was-cordoned" false uncordons, and only
 * what bears Pawl's mark. `kubectl cordon` of a node that is cordoned already writes nothing, and is not seen: who wants it to stay
 * so sets "was-cordoned" to true. In a slot that bootc-operator gave there is no mark to go by.
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
 * Cordons a node for its slot; null once it is cordoned. What a person did to it between the slot and Pawl's cordon is remembered
 * first. One that is uncordoned after that, in the midst of its drain, is cordoned again, as bootc-operator does.
 */
export function cordonStep(node: KubeNode, slot: Slot): NodeStep | null {
  if (!node.unschedulable) {
    return slot.wasCordoned === false ? { kind: "cordon" } : { kind: "remember-cordon", wasCordoned: false };
  }
  const isSomebodyElses = node.cordonedFor === null && slot.nodeUid !== null;
  return isSomebodyElses && slot.wasCordoned !== true ? { kind: "remember-cordon", wasCordoned: true } : null;
}
