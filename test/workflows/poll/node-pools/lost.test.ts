import { expect, test } from "vitest";
import { pollCluster } from "../../../../functions/workflows/poll/poll-cluster.ts";
import { newPool, createPoolFixture } from "../../../handlers/node-pool/node-pool-fixtures.ts";

test.for([
  { when: "started", pool: newPool(), action: "started" },
  { when: "adopted", pool: { ...newPool(), execution: "lost-1" }, action: "adopted" },
])("a pool is $when every ten minutes, however many executions end without a trace", async ({ pool, action }) => {
  const { ports } = createPoolFixture({ pool });
  const poll = async () => (await pollCluster(ports)).pools;
  const stopRunning = () => ports.poolExecutions.running().forEach(({ name }) => ports.poolExecutions.abort(name));
  await poll();
  expect(await poll()).toMatchObject({ [action]: 1 });
  expect(ports.poolExecutions.started).toHaveLength(1);
  stopRunning();
  expect(await poll()).toMatchObject({ [action]: 1, held: 0 });
  stopRunning();
  expect(await poll()).toMatchObject({ [action]: 0, held: 1, failed: [] });
  for (let attempt = 1; attempt <= 60; attempt += 1) {
    ports.pass(600);
    expect(await poll()).toMatchObject({ [action]: 1, failed: [] });
    stopRunning();
  }
  expect(ports.poolExecutions.started).toHaveLength(62);
});
