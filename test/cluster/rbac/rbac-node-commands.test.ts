import { beforeAll, expect, test } from "vitest";
import { claimPool } from "../../../functions/handlers/claim-pool.ts";
import { drainNodes } from "../../../functions/handlers/drain-nodes.ts";
import { releasePool } from "../../../functions/handlers/release-pool.ts";
import { runCommands } from "../../../functions/handlers/run-commands.ts";
import { reconcileNodes } from "../../../functions/handlers/reconcile-nodes.ts";
import type { Ports } from "../../../functions/contract/ports.ts";
import { applyRolesOfNodePools } from "../../infra/cluster/pawl-groups.ts";
import { requestsInTable } from "../../infra/cluster/permissions-table.ts";
import { eventually } from "../../support/control-plane/eventually.ts";
import { type FakeSsmHosts, createFakeSsmHosts } from "../../support/aws/fake-ssm-hosts.ts";
import { describeOnRealCluster, realKubeConfig } from "../../support/real-cluster.ts";
import { type NodeHarness, type Nodes, openNodeHarness } from "../node-pool/node-harness.ts";
import { createActors, createNodePoolPorts, repeatOnConflict, testDocumentedRequests } from "./rbac-harness.ts";
import { createSuite } from "../suite.ts";

type Name = "claim-pool" | "reconcile-nodes" | "run-commands" | "drain-nodes" | "release-pool";

const instances = ["i-00000001", "i-00000002"];

describeOnRealCluster("the functions of a pool without bootc daemons, each with the permissions of its group", () => {
  const suite = createSuite();
  const actorOf = createActors();
  let harness: NodeHarness;
  let hosts: FakeSsmHosts;
  let nodes: Nodes;
  let image: string;

  beforeAll(async () => {
    const admin = realKubeConfig();
    harness = suite.closeAfterAll(await openNodeHarness(suite.registry));
    suite.closeAfterAll({ close: await applyRolesOfNodePools(admin) });
    const before = await harness.push("os", "a");
    image = await harness.push("os", "b");
    hosts = createFakeSsmHosts(Object.fromEntries(instances.map((instance) => [instance, before])));
    nodes = await harness.createNodes(2, before);
    // Pawl runs the commands that a daemon would run.
    for (const name of nodes.names) harness.daemons.fault(name, "silent");
    for (const [index, name] of nodes.names.entries()) {
      await harness.api.patchNode(name, { spec: { providerID: `aws:///eu-west-1a/${instances[index]}` } });
    }
  });

  function run<T>(name: Name, handler: (ports: Ports) => Promise<T>): Promise<T> {
    return repeatOnConflict(name, () => handler({ ...createNodePoolPorts(actorOf(name)), commands: hosts }));
  }

  test("stage, drain and reboot every node", async () => {
    await harness.deploy("shop", 2, nodes.labels);
    const name = harness.uniqueName("commanded");
    const rollout = { minReadySeconds: 0 };
    const spec = { nodeSelector: { matchLabels: nodes.labels }, image: { ref: image }, agent: "RunCommand", rollout };
    await harness.createPool(name, spec);
    const { uid = "" } = (await harness.api.pool(name))?.metadata ?? {};
    const input = {
      cluster: "real",
      pool: { name, uid },
      previousExecution: "",
      adopting: false,
      execution: "manual",
    };
    const step = { ...input, executionStartedAt: new Date().toISOString(), rounds: 0 };
    expect(await run("claim-pool", (ports) => claimPool(ports, input))).toMatchObject({ kind: "claimed" });
    await eventually("every node runs the image", async () => {
      const { kind, commands, drains } = await run("reconcile-nodes", (ports) => reconcileNodes(ports, step));
      if (commands) await run("run-commands", (ports) => runCommands(ports, input));
      if (drains) await run("drain-nodes", (ports) => drainNodes(ports, input));
      hosts.step();
      return kind === "completed";
    });
    const verdict = { ...input, verdict: "completed", reason: "" };
    expect(await run("release-pool", (ports) => releasePool(ports, verdict))).toMatchObject({ kind: "completed" });
    expect(instances.map((instance) => hosts.host(instance))).toMatchObject([
      { booted: image, reboots: 1 },
      { booted: image, reboots: 1 },
    ]);
    expect(harness.changes().some(({ kind, isGone }) => kind === "Pod" && isGone)).toBe(true);
    await harness.expectNoViolations();
  });

  testDocumentedRequests(["run-commands"], (name) => ({
    sent: actorOf(name).requests,
    documented: requestsInTable(name),
  }));
});
