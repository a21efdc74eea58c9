import type { KubeConfig } from "@kubernetes/client-node";
import { beforeAll, expect, test } from "vitest";
import { kubernetesNodePools } from "../../functions/adapters/kubernetes/node-pools/node-pools.ts";
import type { CommandInFlight } from "../../functions/domain/node-pool/report.ts";
import { claimPool } from "../../functions/handlers/claim-pool.ts";
import { drainNodes } from "../../functions/handlers/drain-nodes.ts";
import { recordPool } from "../../functions/handlers/record-pool.ts";
import { releasePool } from "../../functions/handlers/release-pool.ts";
import { stepNodes } from "../../functions/handlers/step-nodes.ts";
import { pollPools } from "../../functions/polling/pools/poll-pools.ts";
import type { Ports } from "../../functions/task.ts";
import { functionSpecs, type HandlerName } from "../../infra/constructs/functions.ts";
import { actingAs, type Actor } from "../infra/cluster/acting-as.ts";
import { refusals } from "../infra/cluster/admission.ts";
import { allowedForNodePools } from "../infra/cluster/manifests.ts";
import { applyRolesOfNodePools } from "../infra/cluster/pawl-groups.ts";
import { permissionRows, requestsForNodePools } from "../infra/cluster/permissions-table.ts";
import { answersTo, everyCall } from "../infra/cluster/rbac-calls.ts";
import { eventually } from "../support/control-plane/eventually.ts";
import { fakePorts } from "../support/fake-ports.ts";
import { describeOnRealCluster, realKubeConfig } from "../support/real-cluster.ts";
import { type NodeLab, openNodeLab } from "./node-lab.ts";
import { suiteWithRegistry } from "./suite.ts";

const groups = ["pawl:pollers", "pawl:recorders", "pawl:node-updaters", "pawl:drainers", "pawl:node-agents"] as const;
const names = [
  "poll",
  "record-pool",
  "claim-pool",
  "step-nodes",
  "run-commands",
  "drain-nodes",
  "release-pool",
] as const satisfies readonly HandlerName[];

describeOnRealCluster("every function of node pools, under its own group", () => {
  const suite = suiteWithRegistry();
  const actors = new Map<HandlerName, Actor>();
  let lab: NodeLab;
  let images: readonly [string, string];

  beforeAll(async () => {
    const admin = realKubeConfig();
    lab = suite.closing(await openNodeLab(suite.registry));
    images = [await lab.push("os", "a"), await lab.push("os", "b")];
    suite.closing({ close: await applyRolesOfNodePools(admin) });
    for (const name of names) actors.set(name, actingAs(functionSpecs[name].group, realKubeConfig()));
  });

  test.for(groups)("%s: of all calls there are, those of its role are allowed and the others denied", async (group) => {
    const { kubeConfig } = actingAs(group, realKubeConfig());
    // Where Events about what has no namespace lie.
    const answers = await answersTo(kubeConfig, everyCall("default"));
    const allowed = answers.filter(({ code }) => code !== 403).map(({ asked }) => asked);
    expect(allowed.toSorted()).toEqual(allowedForNodePools(group));
  });

  function actorOf(name: HandlerName): Actor {
    const actor = actors.get(name);
    if (actor === undefined) throw new Error(`nobody acts as ${name}`);
    return actor;
  }

  function portsOf(name: HandlerName): Ports {
    const now = () => new Date();
    const kubeConfig: KubeConfig = actorOf(name).kubeConfig;
    const ports = { ...fakePorts({ nodePools: {}, now: now() }), now };
    const recording = { record: () => Promise.resolve("none" as const) };
    return { ...ports, poolChecks: recording, nodePools: kubernetesNodePools({ kubeConfig, now }) };
  }

  test("a pool is found, recorded, claimed, stepped, drained and released", async () => {
    const [runs, wanted] = images;
    const { labels } = await lab.nodes(2, runs);
    await lab.deploy("shop", 2, labels);
    const name = lab.named("rbac");
    await lab.makePool(name, { nodeSelector: { matchLabels: labels }, image: { ref: wanted } });
    const { uid = "" } = (await lab.api.pool(name))?.metadata ?? {};
    const pool = { name, uid };
    const warned: string[] = [];
    const report = await pollPools(portsOf("poll"), (message) => warned.push(message), new AbortController().signal);
    expect([report, warned]).toMatchObject([{ failed: [], started: 1 }, []]);
    expect(await recordPool(portsOf("record-pool"), { cluster: "real", pool, resolution: null })).toMatchObject({
      kind: "written",
    });

    const input = { cluster: "real", pool, after: "", recovering: false, execution: "by-hand" };
    expect(await again(() => claimPool(portsOf("claim-pool"), input))).toMatchObject({ kind: "claimed" });
    const step = { ...input, executionStartedAt: new Date().toISOString(), ticks: 0 };
    await eventually("every node runs the image", async () => {
      const { kind } = await again(() => stepNodes(portsOf("step-nodes"), step));
      expect(["working", "settled"]).toContain(kind);
      expect(await again(() => drainNodes(portsOf("drain-nodes"), input))).toMatchObject({ kind: "drained" });
      return kind === "settled";
    });
    await again(() => reportOne(name));
    const release = (verdict: string) =>
      again(() => releasePool(portsOf("release-pool"), { ...input, verdict, reason: "" }));
    expect(await release("settled")).toMatchObject({ kind: "settled" });

    await lab.deletePool(name);
    expect(await again(() => claimPool(portsOf("claim-pool"), input))).toMatchObject({ kind: "claimed" });
    await eventually(
      "every node has left",
      async () => (await again(() => stepNodes(portsOf("step-nodes"), step))).kind === "emptied",
    );
    expect(await release("emptied")).toMatchObject({ kind: "settled" });
    expect(await lab.api.pool(name)).toBeNull();
    await lab.expectNoViolations();
  });

  /** As the machine does it: once more where somebody else wrote first. */
  function again<T>(task: () => Promise<T>): Promise<T> {
    return task().catch((error: Error) => {
      if (error.name !== "Conflict") throw error;
      return again(task);
    });
  }

  /** What `run-commands` reads and writes, where it has a node to command. */
  async function reportOne(name: string): Promise<void> {
    const { nodePools } = portsOf("run-commands");
    expect((await nodePools.list()).map((pool) => pool.name)).toContain(name);
    const node = (await nodePools.nodes("whole")).find(({ bootcNode }) => bootcNode?.owner?.name === name);
    if (node === undefined) throw new Error("the pool has no nodes");
    const at = new Date("2026-11-21T12:00:00Z");
    const command: CommandInFlight = { id: "c-1", kind: "status", image: "", at, attempts: 0 };
    await nodePools.report(node, { images: null, activity: null, error: "x", observedGeneration: 1, command });
  }

  test.for(names)("%s asks for what docs/permissions.md says, and for no more", (name) => {
    const asked = [...actorOf(name).asked].filter((request) => !request.includes("undefined"));
    const row = permissionRows().find((one) => one.name === name && one.group !== "pawl:pollers");
    expect(asked.toSorted()).toEqual(row?.requests ?? requestsForNodePools("pawl:pollers"));
  });

  test.for(names)("what %s wrote, the admission policies let through", (name) => {
    const { writes } = actorOf(name);
    expect(writes.length > 0).toBe(name !== "poll");
    expect(writes.flatMap(refusals)).toEqual([]);
  });
});
