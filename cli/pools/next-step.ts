import { digestOf } from "../../functions/domain/node-pool/classify.ts";
import type { DrainedPod } from "../../functions/domain/node-pool/drain.ts";
import type { NodeStep } from "../../functions/domain/node-pool/step.ts";

/** What is done to a node next, or what it waits for, in words. */
export function nextInWords(step: NodeStep): string {
  switch (step.kind) {
    case "create":
      return `joins, and is asked to stage ${digestOf(step.asks.image)}`;
    case "label":
      return "is labelled for its agent";
    case "ask":
      return step.isNewImage ? `is asked to stage ${digestOf(step.asks.image)}` : "is told of its pull secret";
    case "revoke":
      return "its reboot is called off";
    case "take-slot":
      return "takes a slot";
    case "remember-cordon":
      return `is to be ${step.wasCordoned ? "cordoned" : "uncordoned"} afterwards, as somebody else made it`;
    case "cordon":
      return "is cordoned";
    case "evict":
      return `${counted(step.pods)} to be evicted: ${namesOf(step.pods)}`;
    case "restart-drain":
      return `its drain begins anew: ${step.reason}`;
    case "approve":
      return "is drained, and may reboot";
    case "uncordon":
      return "is uncordoned";
    case "leave-cordoned":
      return "stays cordoned, as somebody else made it";
    case "free-slot":
      return "gives its slot back";
    case "unlabel":
      return "leaves: its label is taken away";
    case "delete":
      return "leaves: its BootcNode is deleted";
    case "wait":
      return step.reason;
    case "none":
      return "";
  }
}

const mostNamed = 3;

function counted({ length }: readonly DrainedPod[]): string {
  return length === 1 ? "1 pod is" : `${length} pods are`;
}

function namesOf(pods: readonly DrainedPod[]): string {
  const names = pods.slice(0, mostNamed).map(({ namespace, name }) => `${namespace}/${name}`);
  const more = pods.length - names.length;
  return names.join(", ") + (more > 0 ? ` and ${more} more` : "");
}
