import { CoreV1Api, type KubeConfig } from "@kubernetes/client-node";
import { beforeAll, expect, test } from "vitest";
import { createKubernetesNodePools } from "../../../functions/adapters/kubernetes/node-pools/node-pools.ts";
import { computePoolStatus } from "../../../functions/domain/node-pool/pool/status.ts";
import { computePoolState } from "../../../functions/domain/node-pool/pool/pool-state.ts";
import type { PoolNode } from "../../../functions/domain/node-pool/node/bootc-node.ts";
import type { NodePool } from "../../../functions/domain/node-pool/pool/node-pool.ts";
import type { NodePools } from "../../../functions/ports/node-pools.ts";
import type { KubernetesGroup } from "../../../infra/constructs/functions/function-spec.ts";
import { impersonate } from "../../infra/cluster/impersonate.ts";
import { applyPart, applyRolesOfNodePools } from "../../infra/cluster/pawl-groups.ts";
import { eventually } from "../../support/control-plane/eventually.ts";
import { describeOnRealCluster, makeNamespace, realKubeConfig } from "../../support/real-cluster.ts";
import { type NodeHarness, openNodeHarness } from "../node-pool/node-harness.ts";
import { type ForbiddenAction, testForbiddenActions } from "./rbac-harness.ts";
import { createSuite } from "../suite.ts";

interface Target {
  /** With the permissions of a group. */
  readonly pools: NodePools;
  readonly pool: NodePool;
  readonly node: PoolNode;
  readonly pod: Awaited<ReturnType<NodePools["listPods"]>>[number];
}

const report = { images: null, activity: null, error: "x", observedGeneration: 1, command: null };

const forbiddenActions: readonly ForbiddenAction<Target>[] = [
  {
    action: "cordon a Node",
    groups: ["pawl:pollers", "pawl:recorders", "pawl:drainers", "pawl:node-agents"],
    act: ({ pools, pool, node }) => pools.write(pool, node, { kind: "cordon" }),
  },
  {
    action: "approve the reboot of a node",
    groups: ["pawl:pollers", "pawl:recorders"],
    act: ({ pools, pool, node }) => pools.write(pool, node, { kind: "approve", readyDaemonSets: [] }),
  },
  {
    action: "delete a BootcNode",
    groups: ["pawl:pollers", "pawl:recorders", "pawl:drainers", "pawl:node-agents"],
    act: ({ pools, pool, node }) => pools.write(pool, node, { kind: "delete" }),
  },
  {
    action: "evict a pod",
    groups: ["pawl:pollers", "pawl:recorders", "pawl:node-updaters", "pawl:node-agents"],
    act: ({ pools, pod }) => pools.evict(pod),
  },
  {
    action: "delete a pod",
    groups: ["pawl:pollers", "pawl:recorders", "pawl:node-updaters", "pawl:drainers", "pawl:node-agents"],
    act: ({ pools, pod }) => pools.deletePod(pod),
  },
  {
    action: "list the pods of a node",
    groups: ["pawl:node-agents"],
    act: ({ pools, node }) => pools.listPods(node.name),
  },
  {
    action: "claim a pool",
    groups: ["pawl:pollers", "pawl:recorders", "pawl:drainers", "pawl:node-agents"],
    act: ({ pools, pool }) => pools.claim(pool, "manual"),
  },
  {
    action: "write the status of a pool",
    groups: ["pawl:pollers", "pawl:drainers", "pawl:node-agents"],
    act: ({ pools, pool, node }) =>
      pools.saveStatus(
        pool,
        computePoolStatus(
          computePoolState({ pool, pools: [pool], nodes: [node], pullSecretHash: null, now: new Date() }),
          null,
        ),
      ),
  },
  {
    action: "write the report of an agent",
    groups: ["pawl:pollers", "pawl:recorders", "pawl:node-updaters", "pawl:drainers"],
    act: ({ pools, node }) => pools.writeAgentReport(node, report),
  },
  {
    action: "emit an Event",
    groups: ["pawl:pollers", "pawl:node-agents"],
    act: ({ pools, pool }) =>
      pools.emitEvent({ kind: "pool", pool }, { type: "Normal", reason: "Staged", message: "", key: "" }),
  },
];

describeOnRealCluster("the groups of node pools, for actions that they must not take", () => {
  const suite = createSuite();
  let admin: KubeConfig;
  let harness: NodeHarness;
  let objects: Omit<Target, "pools">;

  const createPools = (kubeConfig: KubeConfig) =>
    createKubernetesNodePools({ kubeConfig, readsPullSecrets: true, now: () => new Date() });
  const poolsFor = (group: KubernetesGroup) => createPools(impersonate(group, realKubeConfig()).kubeConfig);

  beforeAll(async () => {
    admin = realKubeConfig();
    harness = suite.closeAfterAll(await openNodeHarness(suite.registry));
    suite.closeAfterAll({ close: await applyRolesOfNodePools(admin) });
    objects = await createObjects();
  });

  async function createObjects(): Promise<Omit<Target, "pools">> {
    const image = "registry.invalid/os@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";
    const pools = createPools(admin);
    const { names, labels } = await harness.createNodes(1, image);
    await harness.createPool(harness.uniqueName("refused"), {
      nodeSelector: { matchLabels: labels },
      image: { ref: image },
    });
    await harness.deploy("shop", 1, labels);
    const [name = ""] = names;
    const pool = (await pools.list()).find((found) => found.name === harness.uniqueName("refused"));
    const created = (await pools.listNodes("full")).find((found) => found.name === name);
    if (pool === undefined || created === undefined) throw new Error("the pool or its node does not exist");
    const desired = { image, pullSecretRef: null, pullSecretHash: null };
    const node = await pools.write(pool, created, { kind: "create", desired });
    const pod = await eventually("a pod runs on the node", async () => (await pools.listPods(name))[0]);
    return { pool, node, pod };
  }

  testForbiddenActions(forbiddenActions, (group) => Promise.resolve({ ...objects, pools: poolsFor(group) }));

  const readers = ["pawl:pollers", "pawl:recorders", "pawl:node-updaters", "pawl:drainers"] as const;

  test("read only the Secret that a Role names", async () => {
    const namespace = await makeNamespace(admin, "bootc-operator");
    const core = admin.makeApiClient(CoreV1Api);
    for (const name of ["registry-login", "other"]) {
      await core.createNamespacedSecret({ namespace, body: { metadata: { name }, stringData: { key: name } } });
    }
    const read = async (group: KubernetesGroup, name: string) =>
      (await poolsFor(group).pullSecret({ namespace, name })).kind;
    for (const group of [...readers, "pawl:node-agents"] as const) {
      expect(await read(group, "registry-login")).toBe("problem");
    }
    await applyPart(admin, "node-pools/pull-secrets", namespace);
    for (const group of readers) {
      await eventually(`${group} can read the Secret`, async () => (await read(group, "registry-login")) === "found");
      expect(await read(group, "other")).toBe("problem");
    }
    expect(await read("pawl:node-agents", "registry-login")).toBe("problem");
    await core.deleteNamespace({ name: namespace });
  });
});
