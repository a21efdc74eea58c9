import { describe, expect, test } from "vitest";
import { pollCluster } from "../../../../functions/workflows/poll/poll-cluster.ts";
import type { NodePool } from "../../../../functions/domain/node-pool/pool/node-pool.ts";
import { digestB, digestC, unmanagedNode } from "../../../domain/node-pool/pools.ts";
import { runUntilComplete } from "../../../handlers/node-pool/run-node-pool-rollout.ts";
import {
  newPool,
  type PoolFixture,
  type PoolFixtureOptions,
  createPoolFixture,
} from "../../../handlers/node-pool/node-pool-fixtures.ts";
import { fakePorts } from "../../../support/fake-ports.ts";
import { after } from "../../../support/workloads.ts";

const byTag = newPool({ imageRef: "quay.io/example/myos:stable" });

async function settled(options: PoolFixtureOptions = {}): Promise<PoolFixture> {
  const fixture = createPoolFixture(options);
  await runUntilComplete(fixture.ports, fixture.stepAgents);
  return fixture;
}

async function poll({ ports }: PoolFixture) {
  return (await pollCluster(ports)).pools;
}

function change({ ports }: PoolFixture, parts: Partial<NodePool>): void {
  ports.nodePools.putPool({ ...ports.nodePools.pool("workers"), ...parts });
}

describe("a poll", () => {
  test("starts one execution for a pool whose nodes are not up to date", async () => {
    const fixture = createPoolFixture();
    expect(await poll(fixture)).toMatchObject({ evaluated: 1, started: 1, failed: [] });
    expect(await poll(fixture)).toMatchObject({ evaluated: 1, started: 1 });
    expect(fixture.ports.poolExecutions.started.map(({ input }) => input)).toEqual([
      { cluster: "production", pool: { name: "workers", uid: "pool-1" }, previousExecution: "", adopting: false },
    ]);
  });

  test("leaves a pool to the execution that holds it", async () => {
    const fixture = createPoolFixture();
    await poll(fixture);
    const [started] = fixture.ports.poolExecutions.started;
    change(fixture, { execution: started?.name ?? null });
    const { full } = fixture.ports.nodePools.reads;
    expect(await poll(fixture)).toMatchObject({ started: 0, inFlight: 1 });
    expect(fixture.ports.nodePools.reads.full).toBe(full);
  });

  test("adopts a pool whose execution was lost, and names that execution", async () => {
    const fixture = createPoolFixture({ pool: { ...newPool(), execution: "lost-1" } });
    expect(await poll(fixture)).toMatchObject({ started: 0, adopted: 1 });
    expect(fixture.ports.poolExecutions.started[0]?.input).toMatchObject({
      previousExecution: "lost-1",
      adopting: true,
    });
  });

  test("of completed pools reads the node metadata once, starts nothing and writes nothing", async () => {
    const other = { ...newPool(), name: "others", uid: "pool-2" };
    const fixture = await settled({
      otherPools: [{ ...other, spec: { ...other.spec, nodeSelector: { matchLabels: { no: "node" } } } }],
    });
    await poll(fixture);
    const before = { ...fixture.ports.nodePools.reads };
    const versions = (await fixture.ports.nodePools.list()).map(({ resourceVersion }) => resourceVersion);
    expect(await poll(fixture)).toMatchObject({ evaluated: 2, started: 0, adopted: 0, recorded: 0 });
    expect(fixture.ports.nodePools.reads).toEqual({ full: before.full, metadata: before.metadata + 1 });
    expect((await fixture.ports.nodePools.list()).map(({ resourceVersion }) => resourceVersion)).toEqual(versions);
  });

  test("reads the readiness of a completed pool for which another one waits", async () => {
    const fixture = await settled();
    const waiting = newPool({ dependsOn: ["workers"], nodeSelector: { matchLabels: { no: "node" } } });
    fixture.ports.nodePools.putPool({ ...waiting, name: "apps", uid: "pool-2", problems: ["x"] });
    const { node, ...rest } = fixture.ports.nodePools.node("w1");
    const readyChangedAt = after(-60);
    if (node !== null) fixture.ports.nodePools.putNode({ ...rest, node: { ...node, ready: false, readyChangedAt } });
    await poll(fixture);
    const { conditions } = fixture.ports.nodePools.pool("workers").status;
    expect(conditions).toContainEqual(expect.objectContaining({ reason: "NodeDegraded" }));
  });

  test("reads no node of a cluster without pools, and nothing if pools are disabled", async () => {
    const without = fakePorts({ nodePools: {} });
    await pollCluster(without);
    expect(without.nodePools.reads).toEqual({ full: 0, metadata: 0 });
    const moments: string[] = [];
    await pollCluster(fakePorts({ atMoment: (moment) => void moments.push(moment) }));
    expect(moments.filter((moment) => moment.includes("pools"))).toEqual([]);
  });

  test("starts no execution for a paused and staged pool, and one after it is resumed", async () => {
    const fixture = await settled({ pool: newPool({ paused: true }) });
    expect(await poll(fixture)).toMatchObject({ held: 1, started: 0, recorded: 0 });
    const { spec } = fixture.ports.nodePools.pool("workers");
    change(fixture, { spec: { ...spec, paused: false }, generation: 2 });
    expect(await poll(fixture)).toMatchObject({ started: 1 });
  });

  test("starts an execution for a deleted pool, so that its finalizer is removed", async () => {
    const fixture = await settled();
    change(fixture, { isBeingDeleted: true });
    await runUntilComplete(fixture.ports, fixture.stepAgents);
    expect(await fixture.ports.nodePools.list()).toEqual([]);
    for (const name of fixture.names) {
      expect(fixture.ports.nodePools.node(name).bootcNode).toBeNull();
      expect(fixture.ports.nodePools.node(name).node?.labels).toEqual({ role: "worker" });
    }
  });

  test("rolls out the new digest of a tag", async () => {
    let digest = digestB;
    const ports = fakePorts({ digests: () => [digest], nodePools: { pools: [byTag], nodes: [] } });
    const fixture = { ...createPoolFixture({ pool: byTag }), ports };
    await poll(fixture);
    expect(ports.nodePools.pool("workers").status).toMatchObject({ targetDigest: digestB, deployedDigest: null });
    digest = digestC;
    ports.pass(224);
    await poll(fixture);
    expect(ports.nodePools.pool("workers").status.targetDigest).toBe(digestB);
    ports.pass(1);
    await poll(fixture);
    expect(ports.nodePools.pool("workers").status.targetDigest).toBe(digestC);
  });

  test("of a pool with a running execution records only the new target", async () => {
    let digest = digestB;
    const ports = fakePorts({ digests: () => [digest], nodePools: { pools: [byTag], nodes: [unmanagedNode("w1")] } });
    const fixture = { ...createPoolFixture({ pool: byTag }), ports };
    await poll(fixture);
    const [started] = ports.poolExecutions.started;
    const { status } = ports.nodePools.pool("workers");
    change(fixture, { execution: started?.name ?? null, status: { ...status, nodeCount: 7 } });
    digest = digestC;
    ports.pass(300);
    await poll(fixture);
    expect(ports.nodePools.pool("workers").status).toEqual({
      ...status,
      nodeCount: 7,
      targetDigest: digestC,
      nextTagResolution: after(8.75),
    });
    const emitted = ports.nodePools.events().filter(({ message }) => message.includes(digestC.slice(0, 19)));
    expect(emitted.map(({ reason }) => reason)).toEqual(["ImageUpdateAvailable", "RolloutStarted"]);
  });

  test("keeps the previous target while a tag cannot be resolved, reports it, and recovers", async () => {
    let digest: string | Error = digestB;
    const ports = fakePorts({
      digests: () => (digest instanceof Error ? digest : [digest]),
      nodePools: { pools: [byTag] },
    });
    const fixture = { ...createPoolFixture({ pool: byTag }), ports };
    const reason = () =>
      ports.nodePools.pool("workers").status.conditions.find(({ type }) => type === "Degraded")?.reason;
    await poll(fixture);
    digest = new Error("the registry is down");
    ports.pass(300);
    await poll(fixture);
    expect(ports.nodePools.pool("workers").status).toMatchObject({
      targetDigest: digestB,
      tagProblem: "the registry is down",
    });
    expect(reason()).toBe("TagResolutionError");
    digest = digestB;
    ports.pass(300);
    await poll(fixture);
    expect(reason()).toBe("Healthy");
  });

  test("of a pool that fails logs, counts, and continues with the others", async () => {
    const other = { ...newPool(), name: "others", uid: "pool-2", execution: "dead" };
    const fixture = createPoolFixture({
      otherPools: [other],
      atMoment(moment) {
        if (moment === "before state") throw new Error("Step Functions is down");
      },
    });
    const warned: object[] = [];
    const { pools } = await pollCluster(fixture.ports, { warn: (_, about) => void warned.push(about) });
    expect(pools).toMatchObject({ evaluated: 1, started: 1 });
    expect(pools.failed).toEqual([
      { pool: { name: "others", uid: "pool-2" }, error: "Error", message: "Step Functions is down" },
    ]);
    expect(warned).toEqual([{ nodePool: "others", failure: "Error", reason: "Step Functions is down" }]);
  });

  test("continues with the workloads if pools cannot be listed", async () => {
    const fixture = createPoolFixture({
      atMoment(moment) {
        if (moment === "before list pools") throw new Error("no");
      },
    });
    const report = await pollCluster(fixture.ports);
    expect(report.failed).toEqual([]);
    expect(report.pools.failed).toEqual([{ pool: null, error: "Error", message: "no" }]);
  });

  test("counts degraded, halted and active pools, and slow drains", async () => {
    const fixture = createPoolFixture();
    await poll(fixture);
    const measured = fixture.ports.metrics.pending.filter(({ name }) => /pools|drains/.test(name));
    expect(Object.fromEntries(measured.map(({ name, value }) => [name, value]))).toEqual({
      pawl_node_pools_degraded: 0,
      pawl_node_pools_halted: 0,
      pawl_node_pools_rolling: 1,
      pawl_drains_slow: 0,
    });
  });
});
