import { expect, test } from "vitest";
import { changePaused } from "../../../cli/node-pools/change-pool.ts";
import { pool } from "../../domain/node-pool/pools.ts";
import { fakeNodePools } from "../../support/fakes/fake-node-pools.ts";
import { noon } from "../../support/workloads.ts";

const workers = pool();

function nodePools(before: (call: string, calls: number) => void = () => {}) {
  let calls = 0;
  const fake = fakeNodePools({ pools: [workers], now: () => noon });
  return {
    fake,
    read: fake.read,
    setPaused: (found: typeof workers, paused: boolean) => {
      before("setPaused", (calls += 1));
      return fake.setPaused(found, paused);
    },
  };
}

test("writes once, to the found version", async () => {
  const { fake, ...port } = nodePools();
  expect(await changePaused(port, workers, true)).toBe(true);
  expect(fake.pool("workers").spec.paused).toBe(true);
  expect(await changePaused(port, fake.pool("workers"), true)).toBe(false);
  expect(await changePaused(port, workers, false)).toBe(false);
});

test("reads the pool again after a conflict", async () => {
  const { fake, ...port } = nodePools((_, calls) => calls === 1 && fake.putPool(workers));
  expect(await changePaused(port, workers, true)).toBe(true);
  expect(fake.pool("workers").spec.paused).toBe(true);
});

test("writes nothing if another writer already paused it", async () => {
  const { fake, ...port } = nodePools(() => fake.putPool(pool({ paused: true })));
  expect(await changePaused(port, workers, true)).toBe(false);
});

test("throws NotFound if the pool was deleted meanwhile", async () => {
  const { fake, ...port } = nodePools((_, calls) => calls === 1 && fake.remove("workers"));
  await expect(changePaused(port, workers, true)).rejects.toMatchObject({ name: "NotFound" });
});

test("stops after the last attempt", async () => {
  const { fake, ...port } = nodePools(() => fake.putPool(workers));
  await expect(changePaused(port, workers, true)).rejects.toMatchObject({ name: "Conflict" });
});
