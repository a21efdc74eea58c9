import { expect, test } from "vitest";
import { pollCluster } from "../../../../functions/workflows/poll/poll-cluster.ts";
import { digestB } from "../../../domain/node-pool/pools.ts";
import { newPool, createPoolFixture } from "../../../handlers/node-pool/node-pool-fixtures.ts";

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
  expect((await pollCluster(fixture.ports)).pools).toMatchObject(report);
});

test("a pool that is deleted during its evaluation is not a failure", async () => {
  const fixture = createPoolFixture({
    pool: newPool({ imageRef: "quay.io/example/myos:stable" }),
    atMoment(moment) {
      if (moment === "before saveStatus") fixture.ports.nodePools.remove("workers");
    },
  });
  expect((await pollCluster(fixture.ports)).pools).toMatchObject({ evaluated: 0, failed: [] });
});
