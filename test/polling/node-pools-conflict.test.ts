import { expect, test } from "vitest";
import { pollCluster } from "../../functions/polling/poll-cluster.ts";
import { digestB } from "../domain/node-pool/pools.ts";
import { newPool, poolWorld } from "../handlers/pool-world.ts";

test.for([
  { when: "somebody edits it once", edits: 1, report: { looked: 1, recorded: 1, started: 1, failed: [] } },
  {
    when: "somebody edits it each time",
    edits: Infinity,
    report: { looked: 0, failed: [expect.objectContaining({ error: "Conflict" })] },
  },
])("a pool that is written to while a poll looks at it, where $when", async ({ edits, report }) => {
  let left = edits;
  const world = poolWorld({
    of: newPool({ imageRef: "quay.io/example/myos:stable" }),
    digest: digestB,
    atMoment(moment) {
      if (moment !== "before saveStatus" || left === 0) return;
      left -= 1;
      const { nodePools } = world.ports;
      const pool = nodePools.pool("workers");
      nodePools.putPool({ ...pool, generation: pool.generation + 1 });
    },
  });
  expect((await pollCluster(world.ports)).pools).toMatchObject(report);
});

test("a pool that is gone while a poll looks at it is no failure", async () => {
  const world = poolWorld({
    of: newPool({ imageRef: "quay.io/example/myos:stable" }),
    atMoment(moment) {
      if (moment === "before saveStatus") world.ports.nodePools.remove("workers");
    },
  });
  expect((await pollCluster(world.ports)).pools).toMatchObject({ looked: 0, failed: [] });
});
