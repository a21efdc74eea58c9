import { expect, test } from "vitest";
import { type At, look, patch, poolsPath, readPool } from "./bench.ts";
import { makePool } from "./fixtures.ts";

const finalizer = "bootc.dev/pool-cleanup";
const foreign = "example.com/backup";

/** Who holds a pool, and what holds it back from being deleted. */
export function claims(at: At): void {
  const finalizersOf = async (name: string) =>
    (await look(at(), `${poolsPath}/${name}`))?.metadata as { readonly finalizers?: readonly string[] };

  test.for([
    { finalizers: [], after: [finalizer] },
    { finalizers: [foreign], after: [foreign, finalizer] },
    { finalizers: [finalizer, foreign], after: [finalizer, foreign] },
  ])("a claim on a pool with the finalizers $finalizers", async ({ finalizers, after }) => {
    const pool = await makePool(at(), "workers", undefined, { finalizers, annotations: { "example.com/a": "b" } });
    const claimed = await at().pools.claim(pool, "execution-1");
    expect(claimed).toEqual(await readPool(at(), "workers"));
    expect(claimed).toMatchObject({ execution: "execution-1", hasFinalizer: true, generation: pool.generation });
    expect(await finalizersOf(pool.name)).toMatchObject({ finalizers: after, annotations: { "example.com/a": "b" } });
  });

  test("a claim on a pool that is being deleted adds no finalizer", async () => {
    const pool = await makePool(at(), "workers", undefined, { finalizers: [foreign] });
    await at().request("DELETE", `${poolsPath}/${pool.name}`);
    const claimed = await at().pools.claim(await readPool(at(), "workers"), "execution-1");
    expect(claimed).toMatchObject({ execution: "execution-1", hasFinalizer: false, isBeingDeleted: true });
    expect(await finalizersOf(pool.name)).toMatchObject({ finalizers: [foreign] });
  });

  test("of two claims at once one is a Conflict", async () => {
    const pool = await makePool(at());
    const outcomes = await Promise.allSettled(["one", "two"].map((name) => at().pools.claim(pool, name)));
    expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(outcomes.find(({ status }) => status === "rejected")).toMatchObject({ reason: { name: "Conflict" } });
  });

  test("a release takes the claim away, and leaves the finalizers", async () => {
    const pool = await makePool(at(), "workers", undefined, { finalizers: [foreign, finalizer] });
    await at().pools.release(await at().pools.claim(pool, "execution-1"), false);
    expect(await readPool(at(), "workers")).toMatchObject({ execution: null, hasFinalizer: true });
    expect(await finalizersOf(pool.name)).toMatchObject({ finalizers: [foreign, finalizer] });
  });

  test("a release that lets go takes Pawl's finalizer away, and leaves another's", async () => {
    const pool = await makePool(at(), "workers", undefined, { finalizers: [foreign, finalizer] });
    await at().request("DELETE", `${poolsPath}/${pool.name}`);
    await at().pools.release(await at().pools.claim(await readPool(at(), "workers"), "execution-1"), true);
    expect(await readPool(at(), "workers")).toMatchObject({ execution: null, hasFinalizer: false });
    expect(await finalizersOf(pool.name)).toMatchObject({ finalizers: [foreign] });
  });

  test("with its last finalizer a pool that is being deleted goes, and to release it once more is nothing", async () => {
    const pool = await at().pools.claim(await makePool(at()), "execution-1");
    await at().request("DELETE", `${poolsPath}/${pool.name}`);
    const held = await readPool(at(), "workers");
    await at().pools.release(held, true);
    expect(await at().pools.read(pool)).toBeNull();
    await at().pools.release(held, true);
    await at().pools.release(held, false);
  });

  test.for([true, false])("paused %s is set, and leaves the rest of the rollout", async (paused) => {
    const rollout = { maxUnavailable: 3, paused: !paused };
    const spec = { nodeSelector: {}, image: { ref: "quay.io/example/myos:v2" }, rollout };
    await at().pools.setPaused(await makePool(at(), "workers", spec), paused);
    expect((await readPool(at(), "workers")).spec).toMatchObject({ paused, maxUnavailable: { amount: 3 } });
  });

  test.for(["claim", "release", "let go", "setPaused", "saveStatus"] as const)(
    "%s is a Conflict where somebody has written since, and writes nothing",
    async (method) => {
      const { pools } = at();
      const stale = await makePool(at(), "workers", undefined, { finalizers: [foreign] });
      await patch(at(), `${poolsPath}/${stale.name}`, { spec: { rollout: { maxUnavailable: 2 } } });
      const before = await readPool(at(), "workers");
      const writing = {
        claim: () => pools.claim(stale, "execution-1"),
        release: () => pools.release(stale, false),
        "let go": () => pools.release(stale, true),
        setPaused: () => pools.setPaused(stale, true),
        saveStatus: () => pools.saveStatus(stale, { ...stale.status, nodeCount: 3 }),
      }[method]();
      await expect(writing).rejects.toMatchObject({ name: "Conflict" });
      expect(await readPool(at(), "workers")).toEqual(before);
    },
  );

  test.for(["claim", "setPaused", "saveStatus"] as const)("%s of a pool that is gone is a Conflict", async (method) => {
    const { pools } = at();
    const pool = await makePool(at());
    await at().request("DELETE", `${poolsPath}/${pool.name}`);
    const writing = {
      claim: () => pools.claim(pool, "execution-1"),
      setPaused: () => pools.setPaused(pool, true),
      saveStatus: () => pools.saveStatus(pool, pool.status),
    }[method]();
    await expect(writing).rejects.toMatchObject({ name: "Conflict" });
  });
}
