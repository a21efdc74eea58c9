import type { Activity, BootcNode } from "./types.ts";

/** The six effective states of a node, as bootc-operator tells them apart. */
export type NodeState = "degraded" | "pending" | "up-to-date" | "staging" | "staged" | "rebooting";

const states = { Staging: "staging", Staged: "staged", Rebooting: "rebooting" } satisfies Record<Activity, NodeState>;

/**
 * The effective state of a node, tested in the order of the union: an error goes before everything, also on a node that runs
 * what it should. Whether it is up to date is told by digests alone, never by the agent's Idle condition.
 */
export function classify({ error, bootedDigest, desiredImage, idle }: BootcNode): NodeState {
  if (error !== null) return "degraded";
  if (bootedDigest === null) return "pending";
  if (bootedDigest === digestOf(desiredImage)) return "up-to-date";
  const activity = idle?.activity ?? null;
  return activity === null ? "pending" : states[activity];
}

/** The state on the way to `targetDigest`: a node that has not been asked for it yet is pending, whatever it runs. */
export function stateTowards(bootcNode: BootcNode, targetDigest: string | null): NodeState {
  const state = classify(bootcNode);
  return state === "degraded" || digestOf(bootcNode.desiredImage) === targetDigest ? state : "pending";
}

/** The digest that a reference is pinned to; null where it is not. */
export function digestOf(image: string): string | null {
  const at = image.indexOf("@");
  return at === -1 ? null : image.slice(at + 1);
}

/** Whether what waits for the next boot is what the node is asked to run. */
export function isStagedAsDesired({ stagedDigest, desiredImage }: BootcNode): boolean {
  return stagedDigest !== null && stagedDigest === digestOf(desiredImage);
}

/** Whether the agent has leave to take the node down for what it is asked to run. */
export function willReboot(bootcNode: BootcNode): boolean {
  return bootcNode.desiredImageState === "Booted" && classify(bootcNode) !== "up-to-date";
}
