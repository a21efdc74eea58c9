import { describe, expect, test } from "vitest";
import { pollCluster } from "../../../../functions/workflows/poll/poll-cluster.ts";
import { digestB } from "../../../domain/node-pool/pools.ts";
import { newPool, createPoolFixture } from "../../../handlers/node-pool/node-pool-fixtures.ts";
import { runUntilComplete } from "../../../handlers/node-pool/run-node-pool-rollout.ts";
import type { FakePorts } from "../../../support/fake-ports.ts";

const poll = async (ports: FakePorts) => (await pollCluster(ports)).pools;

test.for([
  { when: "started", pool: newPool(), action: "started" },
  { when: "adopted", pool: { ...newPool(), execution: "lost-1" }, action: "adopted" },
])("a pool is $when every ten minutes, however many executions end without a trace", async ({ pool, action }) => {
  const { ports } = createPoolFixture({ pool });
  const stopRunning = () => ports.poolExecutions.running().forEach(({ name }) => ports.poolExecutions.abort(name));
  await poll(ports);
  expect(await poll(ports)).toMatchObject({ [action]: 1 });
  expect(ports.poolExecutions.started).toHaveLength(1);
  stopRunning();
  expect(await poll(ports)).toMatchObject({ [action]: 1, held: 0 });
  stopRunning();
  expect(await poll(ports)).toMatchObject({ [action]: 0, held: 1, failed: [] });
  for (let attempt = 1; attempt <= 60; attempt += 1) {
    ports.pass(600);
    expect(await poll(ports)).toMatchObject({ [action]: 1, failed: [] });
    stopRunning();
  }
  expect(ports.poolExecutions.started).toHaveLength(62);
});

test.for([
  { when: "it is edited once", edits: 1, report: { evaluated: 1, recorded: 1, started: 1, failed: [] } },
  {
    when: "it is edited at each attempt",
    edits: Infinity,
    report: { evaluated: 0, failed: [expect.objectContaining({ error: "Conflict" })] },
  },
])("a pool that changes during its evaluation, if $when", async ({ edits, report }) => {
  let left = edits;
  const fixture = createPoolFixture({
    pool: newPool({ imageRef: "quay.io/example/myos:stable" }),
    digest: digestB,
    atMoment(moment) {
      if (moment !== "before saveStatus" || left === 0) return;
      left -= 1;
      const { nodePools } = fixture.ports;
      const pool = nodePools.pool("workers");
      nodePools.putPool({ ...pool, generation: pool.generation + 1 });
    },
  });
  expect(await poll(fixture.ports)).toMatchObject(report);
});

test("a pool that is deleted during its evaluation is not a failure", async () => {
  const fixture = createPoolFixture({
    pool: newPool({ imageRef: "quay.io/example/myos:stable" }),
    atMoment(moment) {
      if (moment === "before saveStatus") fixture.ports.nodePools.remove("workers");
    },
  });
  expect(await poll(fixture.ports)).toMatchObject({ evaluated: 0, failed: [] });
});

describe("a poll of a pool without a finalizer", () => {
  test.for([
    { state: "completed", spec: {}, held: 0 },
    { state: "paused", spec: { paused: true }, held: 1 },
  ])("starts one execution though the pool is $state, and none afterwards", async ({ spec, held }) => {
    const fixture = createPoolFixture({ pool: newPool(spec) });
    await runUntilComplete(fixture.ports, fixture.stepAgents);
    fixture.ports.nodePools.putPool({ ...fixture.ports.nodePools.pool("workers"), hasFinalizer: false });
    expect(await poll(fixture.ports)).toMatchObject({ started: 1 });
    await runUntilComplete(fixture.ports, fixture.stepAgents);
    expect(fixture.ports.nodePools.pool("workers")).toMatchObject({ hasFinalizer: true, execution: null });
    const { length } = fixture.ports.poolExecutions.started;
    expect(await poll(fixture.ports)).toMatchObject({ started: 0, held });
    expect(fixture.ports.poolExecutions.started).toHaveLength(length);
  });

  test("starts no execution if the pool has no nodes or is being deleted", async () => {
    const empty = createPoolFixture({ count: 0 });
    expect(await poll(empty.ports)).toMatchObject({ evaluated: 1, started: 0 });
    expect(empty.ports.nodePools.pool("workers").hasFinalizer).toBe(false);
    const deleted = createPoolFixture({ count: 0, pool: { ...newPool(), isBeingDeleted: true } });
    expect(await poll(deleted.ports)).toMatchObject({ evaluated: 1, started: 0 });
  });
});
