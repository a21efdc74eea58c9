import { beforeAll, expect, test } from "vitest";
import { kubernetesNodePools } from "../../functions/adapters/kubernetes/node-pools/node-pools.ts";
import { claimPool } from "../../functions/handlers/claim-pool.ts";
import { drainNodes } from "../../functions/handlers/drain-nodes.ts";
import { releasePool } from "../../functions/handlers/release-pool.ts";
import { runCommands } from "../../functions/handlers/run-commands.ts";
import { stepNodes } from "../../functions/handlers/step-nodes.ts";
import type { Ports } from "../../functions/task.ts";
import { functionSpecs } from "../../infra/constructs/functions.ts";
import { type Actor, actingAs } from "../infra/cluster/acting-as.ts";
import { refusals } from "../infra/cluster/admission.ts";
import { applyRolesOfNodePools } from "../infra/cluster/pawl-groups.ts";
import { requestsInTable } from "../infra/cluster/permissions-table.ts";
import { eventually } from "../support/control-plane/eventually.ts";
import { type FakeHosts, fakeHosts } from "../support/fake-hosts.ts";
import { fakePorts } from "../support/fake-ports.ts";
import { describeOnRealCluster, realKubeConfig } from "../support/real-cluster.ts";
import { type NodeLab, type Nodes, openNodeLab } from "./node-lab.ts";
import { suiteWithRegistry } from "./suite.ts";

const names = ["claim-pool", "step-nodes", "run-commands", "drain-nodes", "release-pool"] as const;
type Name = (typeof names)[number];

const instances = ["i-00000001", "i-00000002"];

describeOnRealCluster("the functions of a pool without daemons, each under its own group", () => {
  const suite = suiteWithRegistry();
  const actors = new Map<Name, Actor>();
  let lab: NodeLab;
  let hosts: FakeHosts;
  let nodes: Nodes;
  let image: string;

  beforeAll(async () => {
    const admin = realKubeConfig();
    lab = suite.closing(await openNodeLab(suite.registry));
    suite.closing({ close: await applyRolesOfNodePools(admin) });
    for (const name of names) actors.set(name, actingAs(functionSpecs[name].group, realKubeConfig()));
    const before = await lab.push("os", "a");
    image = await lab.push("os", "b");
    hosts = fakeHosts(Object.fromEntries(instances.map((instance) => [instance, before])));
    nodes = await lab.nodes(2, before);
    // Whatever a daemon would do there is Pawl's to do.
    for (const name of nodes.names) lab.daemons.fault(name, "silent");
    for (const [index, name] of nodes.names.entries()) {
      await lab.api.patchNode(name, { spec: { providerID: `aws:///eu-west-1a/${instances[index]}` } });
    }
  });

  function actorOf(name: Name): Actor {
    const actor = actors.get(name);
    if (actor === undefined) throw new Error(`nobody acts as ${name}`);
    return actor;
  }

  /** As the machine does it: once more where somebody else wrote first. */
  async function run<T>(name: Name, task: (ports: Ports) => Promise<T>): Promise<T> {
    const now = () => new Date();
    const nodePools = kubernetesNodePools({ kubeConfig: actorOf(name).kubeConfig, now });
    const ports = { ...fakePorts({ nodePools: {}, now: now() }), now, nodePools, commands: hosts };
    return task(ports).catch((error: Error) => {
      if (error.name !== "Conflict") throw error;
      return run(name, task);
    });
  }

  test("stage, drain and reboot every node", async () => {
    await lab.deploy("shop", 2, nodes.labels);
    const name = lab.named("commanded");
    const spec = { nodeSelector: { matchLabels: nodes.labels }, image: { ref: image }, agent: "RunCommand" };
    await lab.makePool(name, spec);
    const { uid = "" } = (await lab.api.pool(name))?.metadata ?? {};
    const input = { cluster: "real", pool: { name, uid }, after: "", recovering: false, execution: "by-hand" };
    const step = { ...input, executionStartedAt: new Date().toISOString(), ticks: 0 };
    expect(await run("claim-pool", (ports) => claimPool(ports, input))).toMatchObject({ kind: "claimed" });
    await eventually("every node runs the image", async () => {
      const { kind, commands, drains } = await run("step-nodes", (ports) => stepNodes(ports, step));
      if (commands) await run("run-commands", (ports) => runCommands(ports, input));
      if (drains) await run("drain-nodes", (ports) => drainNodes(ports, input));
      hosts.turn();
      return kind === "settled";
    });
    const verdict = { ...input, verdict: "settled", reason: "" };
    expect(await run("release-pool", (ports) => releasePool(ports, verdict))).toMatchObject({ kind: "settled" });
    expect(instances.map((one) => hosts.host(one))).toMatchObject([
      { booted: image, reboots: 1 },
      { booted: image, reboots: 1 },
    ]);
    expect(lab.happenings().some(({ kind, isGone }) => kind === "Pod" && isGone)).toBe(true);
    await lab.expectNoViolations();
  });

  test("run-commands asks for what docs/permissions.md says, and for no more", () => {
    expect([...actorOf("run-commands").asked].toSorted()).toEqual(requestsInTable("run-commands"));
  });

  test.for(names)("what %s wrote, the admission policies let through", (name) => {
    const { writes } = actorOf(name);
    expect(writes.length).toBeGreaterThan(0);
    expect(writes.flatMap(refusals)).toEqual([]);
  });
});
