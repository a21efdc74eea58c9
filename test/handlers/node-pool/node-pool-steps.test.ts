import { describe, expect, test } from "vitest";
import { claimPool } from "../../../functions/handlers/claim-pool.ts";
import { continuePoolAsNew } from "../../../functions/handlers/continue-pool-as-new.ts";
import { releasePool } from "../../../functions/handlers/release-pool.ts";
import { newPool, poolStepInput, createPoolFixture } from "./node-pool-fixtures.ts";

const input = poolStepInput("roll-2");

describe("ClaimPool", () => {
  test.for([
    { when: "it is not claimed", execution: null, kind: "claimed", waitSeconds: 0 },
    { when: "it was continued", execution: "roll-1", previousExecution: "roll-1", kind: "claimed", waitSeconds: 0 },
    { when: "it holds the claim already", execution: "roll-2", kind: "claimed", waitSeconds: 0 },
    {
      when: "it has already adopted the claim",
      execution: "roll-2",
      previousExecution: "roll-1",
      adopting: true,
      kind: "claimed",
      waitSeconds: 70,
    },
    { when: "a third execution holds it", execution: "roll-3", kind: "superseded", waitSeconds: 0 },
    {
      when: "the lost execution released it",
      execution: null,
      previousExecution: "roll-1",
      adopting: true,
      kind: "superseded",
      waitSeconds: 0,
    },
  ])(
    "if $when: $kind, $waitSeconds s later",
    async ({ execution, previousExecution = "", adopting = false, kind, waitSeconds }) => {
      const { ports } = createPoolFixture({ pool: { ...newPool(), execution } });
      expect(await claimPool(ports, { ...input, previousExecution, adopting })).toMatchObject({
        kind,
        waitSeconds,
        rounds: 0,
      });
      expect(ports.nodePools.pool("workers").execution).toBe(kind === "claimed" ? "roll-2" : execution);
    },
  );

  test("ends as superseded if the pool was deleted", async () => {
    const { ports } = createPoolFixture();
    ports.nodePools.remove("workers");
    expect(await claimPool(ports, input)).toMatchObject({
      kind: "superseded",
      reason: "the pool was deleted or recreated",
    });
  });
});

describe("ReleasePool", () => {
  test.for(["completed", "held", "halted"])("releases a pool that is %s", async (verdict) => {
    const { ports } = createPoolFixture({ pool: { ...newPool(), execution: "roll-2" } });
    expect(await releasePool(ports, { ...input, verdict, reason: "why" })).toEqual({ kind: verdict, reason: "why" });
    expect(ports.nodePools.pool("workers").execution).toBeNull();
  });

  test("keeps the claim of another execution", async () => {
    const { ports } = createPoolFixture({ pool: { ...newPool(), execution: "roll-3" } });
    expect(await releasePool(ports, { ...input, verdict: "held", reason: "why" })).toMatchObject({
      kind: "superseded",
    });
    expect(ports.nodePools.pool("workers").execution).toBe("roll-3");
  });

  test("removes the finalizer of a deleted pool once every node has left", async () => {
    const { ports } = createPoolFixture({
      pool: { ...newPool(), execution: "roll-2", isBeingDeleted: true, hasFinalizer: true },
    });
    await releasePool(ports, { ...input, verdict: "held", reason: "" });
    expect(ports.nodePools.pool("workers").hasFinalizer).toBe(true);
    await releasePool(ports, { ...input, verdict: "emptied", reason: "" });
    expect(await ports.nodePools.list()).toEqual([]);
    expect(await releasePool(ports, { ...input, verdict: "emptied", reason: "why" })).toEqual({
      kind: "completed",
      reason: "why",
    });
  });
});

describe("ContinuePoolAsNew", () => {
  test("starts the next execution, once", async () => {
    const { ports } = createPoolFixture({ pool: { ...newPool(), execution: "roll-2" } });
    await continuePoolAsNew(ports, input);
    await continuePoolAsNew(ports, input);
    const [next, ...more] = ports.poolExecutions.started;
    expect(more).toEqual([]);
    expect(next?.input).toEqual({ cluster: "local", pool: input.pool, previousExecution: "roll-2", adopting: false });
    expect(next?.name).toMatch(/^pool-workers-[0-9a-f]{12}$/);
  });
});
