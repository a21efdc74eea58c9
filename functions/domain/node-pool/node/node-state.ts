import type { Activity, BootcNode } from "./bootc-node.ts";

/** The six effective states of a node, as in bootc-operator. */
export type NodeState = "degraded" | "pending" | "up-to-date" | "staging" | "staged" | "rebooting";

const states = { Staging: "staging", Staged: "staged", Rebooting: "rebooting" } satisfies Record<Activity, NodeState>;

/**
 * Returns the effective state of a node, tested in the order of the union: an error has precedence, even on a node that
 * runs its desired image. Only digests decide whether it is up to date, never the agent's Idle condition.
 */
export function classifyNode({ error, bootedDigest, desiredImage, idle }: BootcNode): NodeState {
  if (error !== null) return "degraded";
  if (bootedDigest === null) return "pending";
  if (bootedDigest === parseDigest(desiredImage)) return "up-to-date";
  const activity = idle?.activity ?? null;
  return activity === null ? "pending" : states[activity];
}

/** Returns the state relative to `targetDigest`: a node whose desired image is another one is pending. */
export function stateForTarget(bootcNode: BootcNode, targetDigest: string | null): NodeState {
  const state = classifyNode(bootcNode);
  return state === "degraded" || parseDigest(bootcNode.desiredImage) === targetDigest ? state : "pending";
}

/** Returns the digest of a reference; null if it has none. */
export function parseDigest(image: string): string | null {
  const at = image.indexOf("@");
  return at === -1 ? null : image.slice(at + 1);
}

/** Reports whether the staged image is the desired one. */
export function hasStagedDesiredImage({ stagedDigest, desiredImage }: BootcNode): boolean {
  return stagedDigest !== null && stagedDigest === parseDigest(desiredImage);
}

/** Reports whether the agent may reboot the node into its desired image. */
export function willReboot(bootcNode: BootcNode): boolean {
  return bootcNode.desiredImageState === "Booted" && classifyNode(bootcNode) !== "up-to-date";
}
