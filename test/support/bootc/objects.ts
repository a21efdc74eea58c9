import type { KubernetesObject } from "@kubernetes/client-node";

/** The API group of node pools; both resources are cluster-scoped. */
export const bootc = { group: "node.bootc.dev", version: "v1alpha1" } as const;
export const bootcPath = `/apis/${bootc.group}/${bootc.version}`;

/** What the controller requests of a node. */
export interface BootcNodeSpec {
  /** Pinned by digest. */
  readonly desiredImage: string;
  readonly desiredImageState: "Staged" | "Booted";
}

export interface BootEntry {
  readonly image: string;
  readonly imageDigest: string;
}

export interface Condition {
  readonly type: string;
  readonly status: "True" | "False";
  readonly reason: string;
  readonly message: string;
  readonly lastTransitionTime?: string;
}

/** What the daemon reports about its node. In a merge patch, null deletes a field. */
export interface BootcNodeStatus {
  readonly booted?: BootEntry | null;
  readonly staged?: BootEntry | null;
  readonly rollback?: BootEntry | null;
  readonly conditions?: readonly Condition[];
}

export interface BootcNodeObject extends KubernetesObject {
  readonly spec: BootcNodeSpec;
  readonly status?: BootcNodeStatus;
}

export interface BootcNodePoolObject extends KubernetesObject {
  readonly spec: {
    readonly nodeSelector: { readonly matchLabels?: Readonly<Record<string, string>> };
    readonly image: { readonly ref: string };
    readonly rollout?: { readonly maxUnavailable?: number | string; readonly paused?: boolean };
  };
  readonly status?: {
    readonly targetDigest?: string;
    readonly deployedDigest?: string;
    readonly updateAvailable?: boolean;
    readonly nodeCount?: number;
    readonly updatedCount?: number;
    readonly updatingCount?: number;
    readonly degradedCount?: number;
    readonly conditions?: readonly Condition[];
  };
}

/** The labels and annotations of bootc-operator, its daemon and Pawl. Not imported from Pawl, so that tests detect a change. */
export const metadataKeys = {
  managed: "bootc.dev/managed",
  slot: "bootc.dev/in-reboot-slot",
  wasCordoned: "bootc.dev/was-cordoned",
  cordonedFor: "pawl.dev/cordoned-by-pool",
  protectedFor: "pawl.dev/protected-by-pool",
} as const;

export function digestOf(image: string): string {
  return image.slice(image.indexOf("@") + 1);
}
