import type { KubeNode, Protection } from "./bootc-node.ts";
import type { NodeStep } from "../step/step.ts";

/** Annotations with which Karpenter and the cluster autoscaler remove no node, if their value is "true". */
export const protectionAnnotations: readonly string[] = [
  "karpenter.sh/do-not-disrupt",
  "cluster-autoscaler.kubernetes.io/scale-down-disabled",
];

/** Formats a protection as the value of its mark: the pool and the annotations, separated by spaces. */
export function formatProtection({ pool, annotations }: Protection): string {
  return [pool, ...annotations].join(" ");
}

/** Parses the mark on a Node; null if there is none. Omits annotations that were changed since, which others own now. */
export function parseProtection(mark: string, annotations: Readonly<Record<string, string>>): Protection | null {
  const [pool = "", ...keys] = mark.split(" ");
  const isOwn = (key: string) => keys.includes(key) && annotations[key] === "true";
  return pool === "" ? null : { pool, annotations: protectionAnnotations.filter(isOwn) };
}

/**
 * Returns the step that protects a node for its slot; null if others protect it, or Pawl has. An autoscaler would remove
 * a node that is drained or not Ready.
 */
export function planProtectStep({ protection, missingProtection }: KubeNode): NodeStep | null {
  return protection === null && missingProtection.length > 0 ? { kind: "protect" } : null;
}

/** Returns the step that removes what Pawl added; null if there is nothing. */
export function planUnprotectStep({ protection }: KubeNode): NodeStep | null {
  return protection === null ? null : { kind: "unprotect" };
}
