import { expect, test } from "vitest";
import { type GetHarness, getObject, patch, poolsPath, readPool } from "./harness.ts";
import { createPool } from "./fixtures.ts";

const finalizer = "bootc.dev/pool-cleanup";
const foreign = "example.com/backup";

/** Claims and finalizers of pools. */
export function claims(harness: GetHarness): void {
  const finalizersOf = async (name: string) =>
    (await getObject(harness(), `${poolsPath}/${name}`))?.metadata as { readonly finalizers?: readonly string[] };

  test.for([
    { finalizers: [], after: [finalizer] },
    { finalizers: [foreign], after: [foreign, finalizer] },
    { finalizers: [finalizer, foreign], after: [finalizer, foreign] },
  ])("a claim on a pool with the finalizers $finalizers", async ({ finalizers, after }) => {
    const pool = await createPool(harness(), "workers", undefined, {
      finalizers,
      annotations: { "example.com/a": "b" },
    });
    const claimed = await harness().pools.claim(pool, "execution-1");
    expect(claimed).toEqual(await readPool(harness(), "workers"));
    expect(claimed).toMatchObject({ execution: "execution-1", hasFinalizer: true, generation: pool.generation });
    expect(await finalizersOf(pool.name)).toMatchObject({ finalizers: after, annotations: { "example.com/a": "b" } });
  });

  test("a claim on a pool that is being deleted adds no finalizer", async () => {
    const pool = await createPool(harness(), "workers", undefined, { finalizers: [foreign] });
    await harness().request("DELETE", `${poolsPath}/${pool.name}`);
    const claimed = await harness().pools.claim(await readPool(harness(), "workers"), "execution-1");
    expect(claimed).toMatchObject({ execution: "execution-1", hasFinalizer: false, isBeingDeleted: true });
    expect(await finalizersOf(pool.name)).toMatchObject({ finalizers: [foreign] });
  });

  test("one of two concurrent claims is a Conflict", async () => {
    const pool = await createPool(harness());
    const outcomes = await Promise.allSettled(["one", "two"].map((name) => harness().pools.claim(pool, name)));
    expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(outcomes.find(({ status }) => status === "rejected")).toMatchObject({ reason: { name: "Conflict" } });
  });

  test("a release removes the claim and keeps the finalizers", async () => {
    const pool = await createPool(harness(), "workers", undefined, { finalizers: [foreign, finalizer] });
    await harness().pools.release(await harness().pools.claim(pool, "execution-1"), false);
    expect(await readPool(harness(), "workers")).toMatchObject({ execution: null, hasFinalizer: true });
    expect(await finalizersOf(pool.name)).toMatchObject({ finalizers: [foreign, finalizer] });
  });

  test("a release of an emptied pool removes the finalizer of Pawl and keeps those of others", async () => {
    const pool = await createPool(harness(), "workers", undefined, { finalizers: [foreign, finalizer] });
    await harness().request("DELETE", `${poolsPath}/${pool.name}`);
    await harness().pools.release(
      await harness().pools.claim(await readPool(harness(), "workers"), "execution-1"),
      true,
    );
    expect(await readPool(harness(), "workers")).toMatchObject({ execution: null, hasFinalizer: false });
    expect(await finalizersOf(pool.name)).toMatchObject({ finalizers: [foreign] });
  });

  test("a pool that is being deleted disappears after its last finalizer, and another release changes nothing", async () => {
    const pool = await harness().pools.claim(await createPool(harness()), "execution-1");
    await harness().request("DELETE", `${poolsPath}/${pool.name}`);
    const held = await readPool(harness(), "workers");
    await harness().pools.release(held, true);
    expect(await harness().pools.read(pool)).toBeNull();
    await harness().pools.release(held, true);
    await harness().pools.release(held, false);
  });

  test.for([true, false])("paused: %s is set, and the rest of spec.rollout is unchanged", async (paused) => {
    const rollout = { maxUnavailable: 3, paused: !paused };
    const spec = { nodeSelector: {}, image: { ref: "quay.io/example/myos:v2" }, rollout };
    await harness().pools.setPaused(await createPool(harness(), "workers", spec), paused);
    expect((await readPool(harness(), "workers")).spec).toMatchObject({ paused, maxUnavailable: { amount: 3 } });
  });

  test("a request is written beside the claim, and replaces an earlier one", async () => {
    const { pools } = harness();
    await pools.request(await pools.claim(await createPool(harness()), "execution-1"), "promote t-1");
    await pools.request(await readPool(harness(), "workers"), "abort t-2");
    expect(await readPool(harness(), "workers")).toMatchObject({ execution: "execution-1", request: "abort t-2" });
  });

  test.for(["claim", "release", "release finalizer", "setPaused", "request", "saveStatus"] as const)(
    "%s is a Conflict after another write, and writes nothing",
    async (method) => {
      const { pools } = harness();
      const stale = await createPool(harness(), "workers", undefined, { finalizers: [foreign] });
      await patch(harness(), `${poolsPath}/${stale.name}`, { spec: { rollout: { maxUnavailable: 2 } } });
      const before = await readPool(harness(), "workers");
      const writing = {
        claim: () => pools.claim(stale, "execution-1"),
        release: () => pools.release(stale, false),
        "release finalizer": () => pools.release(stale, true),
        setPaused: () => pools.setPaused(stale, true),
        request: () => pools.request(stale, "promote t-1"),
        saveStatus: () => pools.saveStatus(stale, { ...stale.status, nodeCount: 3 }),
      }[method]();
      await expect(writing).rejects.toMatchObject({ name: "Conflict" });
      expect(await readPool(harness(), "workers")).toEqual(before);
    },
  );

  test.for(["claim", "setPaused", "request", "saveStatus"] as const)(
    "%s of a deleted pool is a Conflict",
    async (method) => {
      const { pools } = harness();
      const pool = await createPool(harness());
      await harness().request("DELETE", `${poolsPath}/${pool.name}`);
      const writing = {
        claim: () => pools.claim(pool, "execution-1"),
        setPaused: () => pools.setPaused(pool, true),
        request: () => pools.request(pool, "promote t-1"),
        saveStatus: () => pools.saveStatus(pool, pool.status),
      }[method]();
      await expect(writing).rejects.toMatchObject({ name: "Conflict" });
    },
  );
}
