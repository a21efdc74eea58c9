import type { KubernetesObject } from "@kubernetes/client-node";

/** Where the resources of node pools are in the API; both are cluster-wide. */
export const bootc = { group: "node.bootc.dev", version: "v1alpha1" } as const;
export const bootcPath = `/apis/${bootc.group}/${bootc.version}`;

/** What a controller asks of a node. */
export interface BootcNodeSpec {
  /** By digest. */
  readonly desiredImage: string;
  readonly desiredImageState: "Staged" | "Booted";
}

export interface Entry {
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

/** What a daemon says of its node. In a merge patch null takes away what was said before. */
export interface BootcNodeStatus {
  readonly booted?: Entry | null;
  readonly staged?: Entry | null;
  readonly rollback?: Entry | null;
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

/** Names that bootc-operator, its daemon and Pawl agree on. They are written out: a test that took them from Pawl would agree with any. */
export const marks = {
  managed: "bootc.dev/managed",
  slot: "bootc.dev/in-reboot-slot",
  wasCordoned: "bootc.dev/was-cordoned",
  cordonedFor: "pawl.dev/cordoned-for",
} as const;

export function digestOf(image: string): string {
  return image.slice(image.indexOf("@") + 1);
}
