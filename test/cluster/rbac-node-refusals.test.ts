import { CoreV1Api, type KubeConfig } from "@kubernetes/client-node";
import { beforeAll, describe, expect, test } from "vitest";
import { kubernetesNodePools } from "../../functions/adapters/kubernetes/node-pools/node-pools.ts";
import { statusOf } from "../../functions/domain/node-pool/status.ts";
import { tickOf } from "../../functions/domain/node-pool/tick.ts";
import type { NodePool, PoolNode } from "../../functions/domain/node-pool/types.ts";
import type { NodePools } from "../../functions/ports/node-pools.ts";
import type { KubernetesGroup } from "../../infra/constructs/functions.ts";
import { actingAs } from "../infra/cluster/acting-as.ts";
import { applyPart, applyRolesOfNodePools } from "../infra/cluster/pawl-groups.ts";
import { eventually } from "../support/control-plane/eventually.ts";
import { describeOnRealCluster, makeNamespace, realKubeConfig } from "../support/real-cluster.ts";
import { type NodeLab, openNodeLab } from "./node-lab.ts";
import { suiteWithRegistry } from "./suite.ts";

interface Scene {
  readonly pool: NodePool;
  readonly node: PoolNode;
  readonly pod: Awaited<ReturnType<NodePools["pods"]>>[number];
}

interface Refused {
  readonly what: string;
  readonly to: readonly KubernetesGroup[];
  readonly act: (pools: NodePools, scene: Scene) => Promise<unknown>;
}

const report = { images: null, activity: null, error: "x", observedGeneration: 1, command: null };

const refused: readonly Refused[] = [
  {
    what: "to cordon a Node",
    to: ["pawl:pollers", "pawl:recorders", "pawl:drainers", "pawl:node-agents"],
    act: (pools, { pool, node }) => pools.write(pool, node, { kind: "cordon" }),
  },
  {
    what: "to let a node reboot",
    to: ["pawl:pollers", "pawl:recorders"],
    act: (pools, { pool, node }) => pools.write(pool, node, { kind: "approve" }),
  },
  {
    what: "to take a BootcNode away",
    to: ["pawl:pollers", "pawl:recorders", "pawl:drainers", "pawl:node-agents"],
    act: (pools, { pool, node }) => pools.write(pool, node, { kind: "delete" }),
  },
  {
    what: "to evict a pod",
    to: ["pawl:pollers", "pawl:recorders", "pawl:node-updaters", "pawl:node-agents"],
    act: (pools, { pod }) => pools.evict(pod),
  },
  {
    what: "to look at the pods of a node",
    to: ["pawl:pollers", "pawl:recorders", "pawl:node-updaters", "pawl:node-agents"],
    act: (pools, { node }) => pools.pods(node.name),
  },
  {
    what: "to claim a pool",
    to: ["pawl:pollers", "pawl:recorders", "pawl:drainers", "pawl:node-agents"],
    act: (pools, { pool }) => pools.claim(pool, "by-hand"),
  },
  {
    what: "to say where a pool stands",
    to: ["pawl:pollers", "pawl:drainers", "pawl:node-agents"],
    act: (pools, { pool, node }) =>
      pools.saveStatus(
        pool,
        statusOf(tickOf({ pool, pools: [pool], nodes: [node], pullSecretHash: null, now: new Date() }), null),
      ),
  },
  {
    what: "to speak for a daemon",
    to: ["pawl:pollers", "pawl:recorders", "pawl:node-updaters", "pawl:drainers"],
    act: (pools, { node }) => pools.report(node, report),
  },
  {
    what: "to tell",
    to: ["pawl:pollers", "pawl:node-agents"],
    act: (pools, { pool }) =>
      pools.announce({ kind: "pool", pool }, { type: "Normal", reason: "Staged", message: "", key: "" }),
  },
];

describeOnRealCluster("the groups of node pools", () => {
  const suite = suiteWithRegistry();
  let admin: KubeConfig;
  let lab: NodeLab;
  let scene: Scene;

  const poolsOf = (kubeConfig: KubeConfig) =>
    kubernetesNodePools({ kubeConfig, readsPullSecrets: true, now: () => new Date() });
  const as = (group: KubernetesGroup) => poolsOf(actingAs(group, realKubeConfig()).kubeConfig);

  beforeAll(async () => {
    admin = realKubeConfig();
    lab = suite.closing(await openNodeLab(suite.registry));
    suite.closing({ close: await applyRolesOfNodePools(admin) });
    scene = await makeScene();
  });

  async function makeScene(): Promise<Scene> {
    const image = "registry.invalid/os@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";
    const pools = poolsOf(admin);
    const { names, labels } = await lab.nodes(1, image);
    await lab.makePool(lab.named("refused"), { nodeSelector: { matchLabels: labels }, image: { ref: image } });
    await lab.deploy("shop", 1, labels);
    const [name = ""] = names;
    const pool = (await pools.list()).find((one) => one.name === lab.named("refused"));
    const bare = (await pools.nodes("whole")).find((one) => one.name === name);
    if (pool === undefined || bare === undefined) throw new Error("there is no pool, or it has no node");
    const asks = { image, pullSecretRef: null, pullSecretHash: null };
    const node = await pools.write(pool, bare, { kind: "create", asks });
    const pod = await eventually("a pod runs there", async () => (await pools.pods(name))[0]);
    return { pool, node, pod };
  }

  describe.for(refused)("are refused $what", ({ to, act }) => {
    test.for(to)("%s", async (group) => {
      await expect(act(as(group), scene)).rejects.toMatchObject({ name: "Forbidden" });
    });
  });

  const readers = ["pawl:pollers", "pawl:recorders", "pawl:node-updaters", "pawl:drainers"] as const;

  test("read no Secret until it is named to them, and then that one alone", async () => {
    const namespace = await makeNamespace(admin, "bootc-operator");
    const core = admin.makeApiClient(CoreV1Api);
    for (const name of ["registry-login", "other"]) {
      await core.createNamespacedSecret({ namespace, body: { metadata: { name }, stringData: { key: name } } });
    }
    const read = async (group: KubernetesGroup, name: string) => (await as(group).pullSecret({ namespace, name })).kind;
    for (const group of [...readers, "pawl:node-agents"] as const) {
      expect(await read(group, "registry-login")).toBe("problem");
    }
    await applyPart(admin, "node-pools/pull-secrets", namespace);
    for (const group of readers) {
      await eventually(`${group} may read it`, async () => (await read(group, "registry-login")) === "found");
      expect(await read(group, "other")).toBe("problem");
    }
    expect(await read("pawl:node-agents", "registry-login")).toBe("problem");
    await core.deleteNamespace({ name: namespace });
  });
});
