import { describe, expect, test } from "vitest";
import { pollCluster } from "../../../../functions/workflows/poll/poll-cluster.ts";
import { runUntilComplete } from "../../../handlers/node-pool/run-node-pool-rollout.ts";
import { newPool, type PoolFixture, createPoolFixture } from "../../../handlers/node-pool/node-pool-fixtures.ts";

async function poll({ ports }: PoolFixture) {
  return (await pollCluster(ports)).pools;
}

describe("a poll of a pool without a finalizer", () => {
  test.for([
    { state: "completed", spec: {}, held: 0 },
    { state: "paused", spec: { paused: true }, held: 1 },
  ])("starts one execution though the pool is $state, and none afterwards", async ({ spec, held }) => {
    const fixture = createPoolFixture({ pool: newPool(spec) });
    await runUntilComplete(fixture.ports, fixture.stepAgents);
    fixture.ports.nodePools.putPool({ ...fixture.ports.nodePools.pool("workers"), hasFinalizer: false });
    expect(await poll(fixture)).toMatchObject({ started: 1 });
    await runUntilComplete(fixture.ports, fixture.stepAgents);
    expect(fixture.ports.nodePools.pool("workers")).toMatchObject({ hasFinalizer: true, execution: null });
    const { length } = fixture.ports.poolExecutions.started;
    expect(await poll(fixture)).toMatchObject({ started: 0, held });
    expect(fixture.ports.poolExecutions.started).toHaveLength(length);
  });

  test("starts no execution if the pool has no nodes or is being deleted", async () => {
    const empty = createPoolFixture({ count: 0 });
    expect(await poll(empty)).toMatchObject({ evaluated: 1, started: 0 });
    expect(empty.ports.nodePools.pool("workers").hasFinalizer).toBe(false);
    const deleted = createPoolFixture({ count: 0, pool: { ...newPool(), isBeingDeleted: true } });
    expect(await poll(deleted)).toMatchObject({ evaluated: 1, started: 0 });
  });
});
