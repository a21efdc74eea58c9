/** A Node, a BootcNode or a pool, with the fields that the policies compare. */
export interface PoolSample {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: Record<string, unknown> & {
    annotations?: Record<string, string>;
    labels?: Record<string, string>;
    finalizers?: string[];
  };
  readonly spec: Record<string, unknown>;
}

const taint = { key: "dedicated", value: "batch", effect: "NoSchedule" };

export const node: PoolSample = {
  apiVersion: "v1",
  kind: "Node",
  metadata: {
    name: "worker-1",
    labels: { "kubernetes.io/hostname": "worker-1", "node-role.kubernetes.io/worker": "" },
    annotations: { "node.alpha.kubernetes.io/ttl": "0" },
    finalizers: ["karpenter.sh/termination"],
  },
  spec: { podCIDR: "10.0.1.0/24", providerID: "aws:///eu-west-1a/i-0123456789abcdef0", taints: [taint] },
};

const digest = (letter: string) => `quay.io/example/os@sha256:${letter.repeat(64)}`;
export const [bootedImage, targetImage] = [digest("a"), digest("b")];

export const owner = { apiVersion: "node.bootc.dev/v1alpha1", kind: "BootcNodePool", name: "workers", uid: "u-9" };

/** Has staged the desired image, and holds a slot. */
export const bootcNode: PoolSample = {
  apiVersion: "node.bootc.dev/v1alpha1",
  kind: "BootcNode",
  metadata: {
    name: "worker-1",
    ownerReferences: [{ ...owner, controller: true, blockOwnerDeletion: false }],
    annotations: {
      "bootc.dev/in-reboot-slot": "true",
      "bootc.dev/was-cordoned": "false",
      "pawl.dev/slot-acquired-at": "2026-11-20T12:00:00Z",
      "team.example/owner": "platform",
    },
  },
  spec: { desiredImage: targetImage, desiredImageState: "Staged" },
};

export const pool: PoolSample = {
  apiVersion: "node.bootc.dev/v1alpha1",
  kind: "BootcNodePool",
  metadata: {
    name: "workers",
    annotations: { "team.example/owner": "platform" },
    finalizers: ["team.example/keep"],
  },
  spec: { image: { ref: "quay.io/example/os:stable" }, rollout: { maxUnavailable: 1 } },
};
