import { describe, expect, test } from "vitest";
import { claimPool } from "../../functions/handlers/claim-pool.ts";
import { handOverPool } from "../../functions/handlers/hand-over-pool.ts";
import { releasePool } from "../../functions/handlers/release-pool.ts";
import { newPool, poolStep, poolWorld } from "./pool-world.ts";

const input = poolStep("roll-2");

describe("ClaimPool", () => {
  test.for([
    { when: "nobody has it", execution: null, kind: "claimed", waitSeconds: 0 },
    { when: "it was handed over", execution: "roll-1", after: "roll-1", kind: "claimed", waitSeconds: 0 },
    {
      when: "the one before was lost",
      execution: "roll-1",
      after: "roll-1",
      recovering: true,
      kind: "claimed",
      waitSeconds: 70,
    },
    { when: "it has it already", execution: "roll-2", kind: "claimed", waitSeconds: 0 },
    {
      when: "it has taken it over already",
      execution: "roll-2",
      after: "roll-1",
      recovering: true,
      kind: "claimed",
      waitSeconds: 70,
    },
    { when: "a third has it", execution: "roll-3", kind: "superseded", waitSeconds: 0 },
    {
      when: "a third was quicker to take it over",
      execution: "roll-3",
      after: "roll-1",
      recovering: true,
      kind: "superseded",
      waitSeconds: 0,
    },
    {
      when: "the one that was lost had let go",
      execution: null,
      after: "roll-1",
      recovering: true,
      kind: "superseded",
      waitSeconds: 0,
    },
  ])(
    "where $when: $kind, $waitSeconds s later",
    async ({ execution, after = "", recovering = false, kind, waitSeconds }) => {
      const { ports } = poolWorld({ of: { ...newPool(), execution } });
      expect(await claimPool(ports, { ...input, after, recovering })).toMatchObject({ kind, waitSeconds, ticks: 0 });
      expect(ports.nodePools.pool("workers").execution).toBe(kind === "claimed" ? "roll-2" : execution);
    },
  );

  test("puts the finalizer on it, so that a pool that is deleted is let go of first", async () => {
    const { ports } = poolWorld();
    await claimPool(ports, input);
    expect(ports.nodePools.pool("workers").hasFinalizer).toBe(true);
  });

  test("lets a pool that is gone be", async () => {
    const { ports } = poolWorld();
    ports.nodePools.remove("workers");
    expect(await claimPool(ports, input)).toMatchObject({ kind: "superseded", reason: "the pool is gone" });
  });
});

describe("ReleasePool", () => {
  test.for(["settled", "held", "halted"])("lets go of a pool that is %s", async (verdict) => {
    const { ports } = poolWorld({ of: { ...newPool(), execution: "roll-2" } });
    expect(await releasePool(ports, { ...input, verdict, reason: "so" })).toEqual({ kind: verdict, reason: "so" });
    expect(ports.nodePools.pool("workers").execution).toBeNull();
  });

  test("leaves the claim of another", async () => {
    const { ports } = poolWorld({ of: { ...newPool(), execution: "roll-3" } });
    expect(await releasePool(ports, { ...input, verdict: "held", reason: "so" })).toMatchObject({ kind: "superseded" });
    expect(ports.nodePools.pool("workers").execution).toBe("roll-3");
  });

  test("leaves the finalizer of a pool that was deleted after its nodes were looked at", async () => {
    const of = { ...newPool(), execution: "roll-2", isBeingDeleted: true, hasFinalizer: true };
    const { ports } = poolWorld({ of });
    expect(await releasePool(ports, { ...input, verdict: "settled", reason: "so" })).toMatchObject({ kind: "settled" });
    expect(ports.nodePools.pool("workers")).toMatchObject({ execution: null, hasFinalizer: true });
  });

  test("takes the finalizer of a deleted pool away once every node has left", async () => {
    const { ports } = poolWorld({
      of: { ...newPool(), execution: "roll-2", isBeingDeleted: true, hasFinalizer: true },
    });
    await releasePool(ports, { ...input, verdict: "held", reason: "" });
    expect(ports.nodePools.pool("workers").hasFinalizer).toBe(true);
    await releasePool(ports, { ...input, verdict: "emptied", reason: "" });
    expect(await ports.nodePools.list()).toEqual([]);
    expect(await releasePool(ports, { ...input, verdict: "emptied", reason: "so" })).toEqual({
      kind: "settled",
      reason: "so",
    });
  });
});

describe("HandOverPool", () => {
  test("starts the one that goes on, once", async () => {
    const { ports } = poolWorld({ of: { ...newPool(), execution: "roll-2" } });
    await handOverPool(ports, input);
    await handOverPool(ports, input);
    const [next, ...more] = ports.poolExecutions.started;
    expect(more).toEqual([]);
    expect(next?.input).toEqual({ cluster: "local", pool: input.pool, after: "roll-2", recovering: false });
    expect(next?.name).toMatch(/^pool-workers-[0-9a-f]{12}$/);
  });
});
