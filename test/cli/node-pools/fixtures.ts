import { readFileSync } from "node:fs";
import { parse } from "yaml";
import { formatRfc3339 } from "../../../functions/domain/text/rfc3339.ts";
import { digestA, digestB, imageB } from "../../domain/node-pool/pools.ts";
import { builtIn, type ClusterFixture, startClusterFixture } from "../cluster-fixture.ts";

const folder = new URL("../../../infra/cluster/node-pools/crds/", import.meta.url);
const [poolCrd, nodeCrd] = ["bootc-node-pool.yaml", "bootc-node.yaml"].map(
  (file) => parse(readFileSync(new URL(file, folder), "utf8")) as object,
) as [object, object];

/** The drain of w2 has just begun. */
export const acquiredAt = formatRfc3339(new Date());

const api = { apiVersion: "node.bootc.dev/v1alpha1" };
export const poolsPath = "node.bootc.dev/v1alpha1/bootcnodepools";
export const nodesPath = "node.bootc.dev/v1alpha1/bootcnodes";

function pool(name: string, ref: string, role: string, rollout: object = {}) {
  const spec = { nodeSelector: { matchLabels: { role } }, image: { ref }, rollout };
  return { ...api, kind: "BootcNodePool", metadata: { name }, spec };
}

function node(name: string, unschedulable = false) {
  const labels = { role: "worker", "bootc.dev/managed": "" };
  const protection = {
    "pawl.dev/protected-by-pool": "workers karpenter.sh/do-not-disrupt",
    "karpenter.sh/do-not-disrupt": "true",
  };
  const annotations = unschedulable ? { "pawl.dev/cordoned-by-pool": "workers", ...protection } : {};
  const conditions = [{ type: "Ready", status: "True" }];
  return {
    apiVersion: "v1",
    kind: "Node",
    metadata: { name, labels, annotations },
    spec: { unschedulable },
    status: { conditions },
  };
}

interface Agent {
  readonly booted: string;
  readonly staged?: string;
  readonly slot?: true;
}

function bootcNode(owner: string, name: string, { booted, staged, slot }: Agent) {
  const ownerReferences = [{ ...api, kind: "BootcNodePool", name: "workers", uid: owner, controller: true }];
  const slotAnnotations = {
    "bootc.dev/in-reboot-slot": "true",
    "bootc.dev/was-cordoned": "false",
    "pawl.dev/slot-acquired-at": acquiredAt,
  };
  const entry = (imageDigest: string) => ({ image: "quay.io/example/myos:9", imageDigest });
  const idle = {
    type: "Idle",
    status: staged === undefined ? "True" : "False",
    reason: staged === undefined ? "Idle" : "Staged",
  };
  return {
    ...api,
    kind: "BootcNode",
    metadata: { name, ownerReferences, annotations: slot === undefined ? {} : slotAnnotations },
    spec: { desiredImage: imageB, desiredImageState: "Staged" },
    status: {
      booted: entry(booted),
      ...(staged === undefined ? {} : { staged: entry(staged) }),
      conditions: [{ ...idle, message: "" }],
    },
  };
}

/** A pod without a DaemonSet, which a drain must evict. */
const web = {
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name: "web", namespace: "shop" },
  spec: { nodeName: "w2", containers: [{ name: "app", image: "example.com/shop/web:1.0.0" }] },
};

/**
 * Starts a cluster with two pools. In `workers` w1 is updated, w2 is being drained and still has a pod, and w3 waits for a slot.
 * `infra` has no nodes, and its tag exists in the registry. A Deployment is also named `workers`.
 */
export async function startPoolsFixture(): Promise<ClusterFixture> {
  const fixture = await startClusterFixture({ "example/myos": ["9"] }, (registry) => [
    poolCrd,
    nodeCrd,
    pool("workers", imageB, "worker"),
    pool("infra", `${registry}/example/myos:9`, "infra"),
    node("w1"),
    node("w2", true),
    node("w3"),
    web,
    builtIn("Deployment", "workers", "example.com/shop/workers:1.0.0", { "pawl.dev/version-constraint": "^one" }),
  ]);
  const { uid } = (await fixture.object(`${poolsPath}/workers`)).metadata;
  const agents = {
    w1: { booted: digestB },
    w2: { booted: digestA, staged: digestB, slot: true },
    w3: { booted: digestA, staged: digestB },
  } as const;
  for (const [name, agent] of Object.entries(agents)) await fixture.create(nodesPath, bootcNode(uid, name, agent));
  return fixture;
}
