import { expect, test } from "vitest";
import { changePaused } from "../../cli/pools/change-paused.ts";
import { pool } from "../domain/node-pool/pools.ts";
import { fakeNodePools } from "../support/fake-node-pools.ts";
import { noon } from "../support/workloads.ts";

const workers = pool();

function nodePools(before: (call: string, calls: number) => void = () => {}) {
  let calls = 0;
  const fake = fakeNodePools({ pools: [workers], now: () => noon });
  return {
    fake,
    read: fake.read,
    setPaused: (of: typeof workers, paused: boolean) => {
      before("setPaused", (calls += 1));
      return fake.setPaused(of, paused);
    },
  };
}

test("writes on what was found, once", async () => {
  const { fake, ...port } = nodePools();
  expect(await changePaused(port, workers, true)).toBe(true);
  expect(fake.pool("workers").spec.paused).toBe(true);
  expect(await changePaused(port, fake.pool("workers"), true)).toBe(false);
  expect(await changePaused(port, workers, false)).toBe(false);
});

test("looks again where somebody else was faster", async () => {
  const { fake, ...port } = nodePools((_, calls) => calls === 1 && fake.putPool(workers));
  expect(await changePaused(port, workers, true)).toBe(true);
  expect(fake.pool("workers").spec.paused).toBe(true);
});

test("writes nothing where somebody else did so", async () => {
  const { fake, ...port } = nodePools(() => fake.putPool(pool({ paused: true })));
  expect(await changePaused(port, workers, true)).toBe(false);
});

test("says so where it has been deleted meanwhile", async () => {
  const { fake, ...port } = nodePools((_, calls) => calls === 1 && fake.remove("workers"));
  await expect(changePaused(port, workers, true)).rejects.toMatchObject({ name: "NotFound" });
});

test("gives up in the end", async () => {
  const { fake, ...port } = nodePools(() => fake.putPool(workers));
  await expect(changePaused(port, workers, true)).rejects.toMatchObject({ name: "Conflict" });
});
