import type { Resource } from "../objects.ts";

const bootc = { group: "node.bootc.dev", version: "v1alpha1" } as const;

export const poolResource: Resource = { ...bootc, plural: "bootcnodepools", kind: "BootcNodePool" };
export const bootcNodeResource: Resource = { ...bootc, plural: "bootcnodes", kind: "BootcNode" };

/** Has their newest CRDs. */
export const crdFolder = "infra/cluster/node-pools";
