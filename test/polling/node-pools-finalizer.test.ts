import { describe, expect, test } from "vitest";
import { pollCluster } from "../../functions/polling/poll-cluster.ts";
import { rollToTheEnd } from "../handlers/pool-by-hand.ts";
import { newPool, type PoolWorld, poolWorld } from "../handlers/pool-world.ts";

async function poll({ ports }: PoolWorld) {
  return (await pollCluster(ports)).pools;
}

describe("a poll, of a pool that bears no finalizer,", () => {
  test.for([
    { what: "settled", spec: {}, held: 0 },
    { what: "paused", spec: { paused: true }, held: 1 },
  ])("starts one execution though the pool is $what, and none afterwards", async ({ spec, held }) => {
    const world = poolWorld({ of: newPool(spec) });
    await rollToTheEnd(world.ports, world.turn);
    world.ports.nodePools.putPool({ ...world.ports.nodePools.pool("workers"), hasFinalizer: false });
    expect(await poll(world)).toMatchObject({ started: 1 });
    await rollToTheEnd(world.ports, world.turn);
    expect(world.ports.nodePools.pool("workers")).toMatchObject({ hasFinalizer: true, execution: null });
    const { length } = world.ports.poolExecutions.started;
    expect(await poll(world)).toMatchObject({ started: 0, held });
    expect(world.ports.poolExecutions.started).toHaveLength(length);
  });

  test("starts none where the pool has no nodes, or is being deleted", async () => {
    const empty = poolWorld({ count: 0 });
    expect(await poll(empty)).toMatchObject({ looked: 1, started: 0 });
    expect(empty.ports.nodePools.pool("workers").hasFinalizer).toBe(false);
    const deleted = poolWorld({ count: 0, of: { ...newPool(), isBeingDeleted: true } });
    expect(await poll(deleted)).toMatchObject({ looked: 1, started: 0 });
  });
});
