import { beforeAll, expect, test } from "vitest";
import type { CommandInFlight } from "../../../functions/domain/node-pool/node/bootc-node.ts";
import { claimPool } from "../../../functions/handlers/claim-pool.ts";
import { drainNodes } from "../../../functions/handlers/drain-nodes.ts";
import { recordPool } from "../../../functions/handlers/record-pool.ts";
import { releasePool } from "../../../functions/handlers/release-pool.ts";
import { reconcileNodes } from "../../../functions/handlers/reconcile-nodes.ts";
import { pollNodePools } from "../../../functions/workflows/poll/poll-node-pools.ts";
import type { Ports } from "../../../functions/contract/ports.ts";
import type { HandlerName } from "../../../infra/constructs/functions/function-specs.ts";
import { impersonate } from "../../infra/cluster/impersonate.ts";
import { createKubernetesCluster } from "../../../functions/adapters/kubernetes/cluster.ts";
import { nodePoolPermissionsOf } from "../../infra/cluster/manifests.ts";
import { applyRolesOfNodePools } from "../../infra/cluster/pawl-groups.ts";
import { permissionRows, requestsForNodePools } from "../../infra/cluster/permissions-table.ts";
import { eventually } from "../../support/control-plane/eventually.ts";
import { describeOnRealCluster, realKubeConfig } from "../../support/real-cluster.ts";
import { type NodeHarness, openNodeHarness } from "../node-pool/node-harness.ts";
import {
  createActors,
  createNodePoolPorts,
  probePermissions,
  repeatOnConflict,
  testDocumentedRequests,
} from "./rbac-harness.ts";
import { createSuite } from "../suite.ts";

const groups = ["pawl:pollers", "pawl:recorders", "pawl:node-updaters", "pawl:drainers", "pawl:node-agents"] as const;
const names = [
  "poll",
  "record-pool",
  "claim-pool",
  "reconcile-nodes",
  "run-commands",
  "drain-nodes",
  "release-pool",
] as const satisfies readonly HandlerName[];

describeOnRealCluster("every function of node pools, with the permissions of its group", () => {
  const suite = createSuite();
  const actorOf = createActors();
  let harness: NodeHarness;
  let images: readonly [string, string];

  beforeAll(async () => {
    const admin = realKubeConfig();
    harness = suite.closeAfterAll(await openNodeHarness(suite.registry));
    images = [await harness.push("os", "a"), await harness.push("os", "b")];
    suite.closeAfterAll({ close: await applyRolesOfNodePools(admin) });
  });

  test.for(groups)("%s is allowed the requests of its role and denied all others", async (group) => {
    const { kubeConfig } = impersonate(group, realKubeConfig());
    // The namespace of Events of cluster-scoped objects.
    const { allowed } = await probePermissions(kubeConfig, "default");
    expect(allowed).toEqual(nodePoolPermissionsOf(group, false));
  });

  function portsOf(name: HandlerName): Ports {
    const poolCheckRecorder = { record: () => Promise.resolve("none" as const) };
    return { ...createNodePoolPorts(actorOf(name)), poolCheckRecorder };
  }

  function run<T>(name: HandlerName, handler: (ports: Ports) => Promise<T>): Promise<T> {
    return repeatOnConflict(name, () => handler(portsOf(name)));
  }

  test("a pool is polled, recorded, claimed, reconciled, drained and released", async () => {
    const [currentImage, targetImage] = images;
    const { labels, names: nodeNames } = await harness.createNodes(2, currentImage);
    await harness.deploy("shop", 2, labels);
    const name = harness.uniqueName("rbac");
    const rollout = { minReadySeconds: 0 };
    await harness.createPool(name, { nodeSelector: { matchLabels: labels }, image: { ref: targetImage }, rollout });
    const { uid = "" } = (await harness.api.pool(name))?.metadata ?? {};
    const pool = { name, uid };
    const warnings: string[] = [];
    const report = await pollNodePools(
      portsOf("poll"),
      (message) => warnings.push(message),
      new AbortController().signal,
    );
    expect([report, warnings]).toMatchObject([{ failed: [], started: 1 }, []]);
    expect(await recordPool(portsOf("record-pool"), { cluster: "real", pool, resolution: null })).toMatchObject({
      kind: "written",
    });

    const input = { cluster: "real", pool, previousExecution: "", adopting: false, execution: "manual" };
    expect(await run("claim-pool", (ports) => claimPool(ports, input))).toMatchObject({ kind: "claimed" });
    const step = { ...input, executionStartedAt: new Date().toISOString(), rounds: 0 };
    await eventually("every node runs the image", async () => {
      const { kind } = await run("reconcile-nodes", (ports) => reconcileNodes(ports, step));
      expect(["working", "completed"]).toContain(kind);
      expect(await run("drain-nodes", (ports) => drainNodes(ports, input))).toMatchObject({ kind: "drained" });
      return kind === "completed";
    });
    await run("run-commands", (ports) => writeAgentReport(ports, name));
    const gates = createKubernetesCluster({
      name: "real",
      kubeConfig: actorOf("reconcile-nodes").kubeConfig,
      namespaces: null,
      now: () => new Date(),
      warn: (message) => warnings.push(message),
    });
    // A request that is denied is "unreadable", or names the right.
    expect(await gates.readFreeze()).toMatchObject({ kind: "text" });
    expect((await gates.identityProblem("approvals")) ?? "").not.toContain("403");
    for (const checker of ["poll", "record-pool", "reconcile-nodes"] as const)
      await run(checker, ({ nodePools }) => nodePools.listPods(nodeNames[0] ?? ""));
    const release = (verdict: string) =>
      run("release-pool", (ports) => releasePool(ports, { ...input, verdict, reason: "" }));
    expect(await release("completed")).toMatchObject({ kind: "completed" });

    await harness.deletePool(name);
    expect(await run("claim-pool", (ports) => claimPool(ports, input))).toMatchObject({ kind: "claimed" });
    await eventually(
      "every node left the pool",
      async () => (await run("reconcile-nodes", (ports) => reconcileNodes(ports, step))).kind === "emptied",
    );
    expect(await release("emptied")).toMatchObject({ kind: "completed" });
    expect(await harness.api.pool(name)).toBeNull();
    await harness.expectNoViolations();
  });

  /** Reads and writes what `run-commands` does if a command of a node is in flight. */
  async function writeAgentReport({ nodePools }: Ports, name: string): Promise<void> {
    expect((await nodePools.list()).map((pool) => pool.name)).toContain(name);
    const node = (await nodePools.listNodes("full")).find(({ bootcNode }) => bootcNode?.owner?.name === name);
    if (node === undefined) throw new Error("the pool has no nodes");
    const at = new Date("2026-11-21T12:00:00Z");
    const command: CommandInFlight = { id: "c-1", kind: "status", image: "", at, attempts: 0 };
    await nodePools.writeAgentReport(node, {
      images: null,
      activity: null,
      error: "x",
      observedGeneration: 1,
      command,
    });
  }

  testDocumentedRequests(names, (name) => ({
    sent: [...actorOf(name).requests].filter((request) => !request.includes("undefined")),
    documented:
      permissionRows().find((row) => row.name === name && row.group !== "pawl:pollers")?.requests ??
      requestsForNodePools("pawl:pollers"),
  }));
});
