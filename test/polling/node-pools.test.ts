import { describe, expect, test } from "vitest";
import { pollCluster } from "../../functions/polling/poll-cluster.ts";
import type { NodePool } from "../../functions/domain/node-pool/types.ts";
import { digestB, digestC, fresh } from "../domain/node-pool/pools.ts";
import { rollToTheEnd } from "../handlers/pool-by-hand.ts";
import { newPool, type PoolWorld, type PoolWorldOptions, poolWorld } from "../handlers/pool-world.ts";
import { fakePorts } from "../support/fake-ports.ts";
import { after } from "../support/workloads.ts";

const byTag = newPool({ imageRef: "quay.io/example/myos:stable" });

async function settled(options: PoolWorldOptions = {}): Promise<PoolWorld> {
  const world = poolWorld(options);
  await rollToTheEnd(world.ports, world.turn);
  return world;
}

async function poll({ ports }: PoolWorld) {
  return (await pollCluster(ports)).pools;
}

function change({ ports }: PoolWorld, parts: Partial<NodePool>): void {
  ports.nodePools.putPool({ ...ports.nodePools.pool("workers"), ...parts });
}

describe("a poll", () => {
  test("starts one execution for a pool whose nodes are not up to date", async () => {
    const world = poolWorld();
    expect(await poll(world)).toMatchObject({ looked: 1, started: 1, failed: [] });
    expect(await poll(world)).toMatchObject({ looked: 1, started: 1 });
    expect(world.ports.poolExecutions.started.map(({ input }) => input)).toEqual([
      { cluster: "production", pool: { name: "workers", uid: "pool-1" }, after: "", recovering: false },
    ]);
  });

  test("leaves a pool to the execution that holds it", async () => {
    const world = poolWorld();
    await poll(world);
    const [started] = world.ports.poolExecutions.started;
    change(world, { execution: started?.name ?? null });
    const { whole } = world.ports.nodePools.reads;
    expect(await poll(world)).toMatchObject({ started: 0, inFlight: 1 });
    expect(world.ports.nodePools.reads.whole).toBe(whole);
  });

  test("adopts a pool whose execution was lost, and says whose it was", async () => {
    const world = poolWorld({ of: { ...newPool(), execution: "lost-1" } });
    expect(await poll(world)).toMatchObject({ started: 0, adopted: 1 });
    expect(world.ports.poolExecutions.started[0]?.input).toMatchObject({ after: "lost-1", recovering: true });
  });

  test("of settled pools reads their outline once, starts nothing and writes nothing", async () => {
    const other = { ...newPool(), name: "others", uid: "pool-2" };
    const world = await settled({
      others: [{ ...other, spec: { ...other.spec, nodeSelector: { matchLabels: { no: "node" } } } }],
    });
    await poll(world);
    const before = { ...world.ports.nodePools.reads };
    const versions = (await world.ports.nodePools.list()).map(({ resourceVersion }) => resourceVersion);
    expect(await poll(world)).toMatchObject({ looked: 2, started: 0, adopted: 0, recorded: 0 });
    expect(world.ports.nodePools.reads).toEqual({ whole: before.whole, outline: before.outline + 1 });
    expect((await world.ports.nodePools.list()).map(({ resourceVersion }) => resourceVersion)).toEqual(versions);
  });

  test("reads no node of a cluster that has no pools, and nothing where pools are left alone", async () => {
    const without = fakePorts({ nodePools: {} });
    await pollCluster(without);
    expect(without.nodePools.reads).toEqual({ whole: 0, outline: 0 });
    const moments: string[] = [];
    await pollCluster(fakePorts({ atMoment: (moment) => void moments.push(moment) }));
    expect(moments.filter((moment) => moment.includes("pools"))).toEqual([]);
  });

  test("starts none for a pool that is paused with all staged, and one again when it is resumed", async () => {
    const world = await settled({ of: newPool({ paused: true }) });
    expect(await poll(world)).toMatchObject({ held: 1, started: 0, recorded: 0 });
    const { spec } = world.ports.nodePools.pool("workers");
    change(world, { spec: { ...spec, paused: false }, generation: 2 });
    expect(await poll(world)).toMatchObject({ started: 1 });
  });

  test("starts one for a pool that is deleted, so that its finalizer goes", async () => {
    const world = await settled();
    change(world, { isBeingDeleted: true });
    await rollToTheEnd(world.ports, world.turn);
    expect(await world.ports.nodePools.list()).toEqual([]);
    for (const name of world.names) {
      expect(world.ports.nodePools.node(name).bootcNode).toBeNull();
      expect(world.ports.nodePools.node(name).node?.labels).toEqual({ role: "worker" });
    }
  });

  test("rolls what a tag has come to stand for", async () => {
    let digest = digestB;
    const ports = fakePorts({ digests: () => [digest], nodePools: { pools: [byTag], nodes: [] } });
    const world = { ...poolWorld({ of: byTag }), ports };
    await poll(world);
    expect(ports.nodePools.pool("workers").status).toMatchObject({ targetDigest: digestB, deployedDigest: digestB });
    digest = digestC;
    ports.pass(224);
    await poll(world);
    expect(ports.nodePools.pool("workers").status.targetDigest).toBe(digestB);
    ports.pass(1);
    await poll(world);
    expect(ports.nodePools.pool("workers").status.targetDigest).toBe(digestC);
  });

  test("of a pool that an execution leads writes what its tag stands for by now, and nothing else", async () => {
    let digest = digestB;
    const ports = fakePorts({ digests: () => [digest], nodePools: { pools: [byTag], nodes: [fresh("w1")] } });
    const world = { ...poolWorld({ of: byTag }), ports };
    await poll(world);
    const [started] = ports.poolExecutions.started;
    const { status } = ports.nodePools.pool("workers");
    change(world, { execution: started?.name ?? null, status: { ...status, nodeCount: 7 } });
    digest = digestC;
    ports.pass(300);
    await poll(world);
    expect(ports.nodePools.pool("workers").status).toEqual({
      ...status,
      nodeCount: 7,
      targetDigest: digestC,
      nextTagResolution: after(8.75),
    });
    const told = ports.nodePools.events().filter(({ message }) => message.includes(digestC.slice(0, 19)));
    expect(told.map(({ reason }) => reason)).toEqual(["ImageUpdateAvailable", "RolloutStarted"]);
  });

  test("keeps to the former target while a tag cannot be resolved, says so, and heals", async () => {
    let digest: string | Error = digestB;
    const ports = fakePorts({
      digests: () => (digest instanceof Error ? digest : [digest]),
      nodePools: { pools: [byTag] },
    });
    const world = { ...poolWorld({ of: byTag }), ports };
    const reason = () =>
      ports.nodePools.pool("workers").status.conditions.find(({ type }) => type === "Degraded")?.reason;
    await poll(world);
    digest = new Error("the registry is down");
    ports.pass(300);
    await poll(world);
    expect(ports.nodePools.pool("workers").status).toMatchObject({
      targetDigest: digestB,
      tagProblem: "the registry is down",
    });
    expect(reason()).toBe("TagResolutionError");
    digest = digestB;
    ports.pass(300);
    await poll(world);
    expect(reason()).toBe("Healthy");
  });

  test("of a pool that cannot be decided tells, counts, and goes on with the others", async () => {
    const other = { ...newPool(), name: "others", uid: "pool-2", execution: "dead" };
    const world = poolWorld({
      others: [other],
      atMoment(moment) {
        if (moment === "before state") throw new Error("Step Functions is down");
      },
    });
    const warned: object[] = [];
    const { pools } = await pollCluster(world.ports, { warn: (_, about) => void warned.push(about) });
    expect(pools).toMatchObject({ looked: 1, started: 1 });
    expect(pools.failed).toEqual([
      { pool: { name: "others", uid: "pool-2" }, error: "Error", message: "Step Functions is down" },
    ]);
    expect(warned).toEqual([{ nodePool: "others", failure: "Error", reason: "Step Functions is down" }]);
  });

  test("goes on with the workloads where pools may not be listed", async () => {
    const world = poolWorld({
      atMoment(moment) {
        if (moment === "before list pools") throw new Error("no");
      },
    });
    const report = await pollCluster(world.ports);
    expect(report.failed).toEqual([]);
    expect(report.pools.failed).toEqual([{ pool: null, error: "Error", message: "no" }]);
  });

  test("counts what is degraded, halted, slow and rolling", async () => {
    const world = poolWorld();
    await poll(world);
    const measured = world.ports.metrics.pending.filter(({ name }) => /pools|drains/.test(name));
    expect(Object.fromEntries(measured.map(({ name, value }) => [name, value]))).toEqual({
      pawl_node_pools_degraded: 0,
      pawl_node_pools_halted: 0,
      pawl_node_pools_rolling: 1,
      pawl_drains_slow: 0,
    });
  });
});
