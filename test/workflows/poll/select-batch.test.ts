import { setImmediate } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Workload } from "../../../functions/domain/workload/workload.ts";
import { shardKeyLimit } from "../../../functions/ports/poll-continuation.ts";
import { assignShard } from "../../../functions/workflows/poll/shard-key.ts";
import { selectBatch } from "../../../functions/workflows/poll/select-batch.ts";
import { newPoll } from "../../../functions/workflows/poll/continuation.ts";
import { noDeadline } from "../../../functions/workflows/poll/deadline.ts";
import { noon } from "../../support/workloads.ts";
import { createWorkloads } from "./many-workloads.ts";
import { idleWorkload } from "./fixtures.ts";

const continuation = { ...newPoll(noon), seed: "s" };

async function* iterate<Item>(items: readonly Item[]): AsyncGenerator<Item> {
  yield* items;
}

test("a batch has the workloads with the lowest shard keys, in order, and no more than fit", async () => {
  const sizes = { count: fc.integer({ min: 0, max: 300 }), maxWorkloads: fc.integer({ min: 1, max: 300 }) };
  await fc.assert(
    fc.asyncProperty(fc.record(sizes), async ({ count, maxWorkloads }) => {
      const listed = createWorkloads(count, ["a.example", "b.example"]);
      const batch = await selectBatch(iterate(listed), continuation, maxWorkloads, noDeadline());
      const { workloads, nextShardKey, remaining, deferredRegistries } = batch;
      const shardKeys = listed
        .map((workload) => assignShard(workload, continuation.seed).shardKey)
        .toSorted((a, b) => a - b);
      expect(workloads.map(({ shardKey }) => shardKey)).toEqual(shardKeys.filter((key) => key < nextShardKey));
      expect(workloads.length).toBeLessThanOrEqual(maxWorkloads);
      expect(workloads.length).toBeGreaterThanOrEqual(Math.min(count, Math.max(1, Math.floor((maxWorkloads * 7) / 8))));
      expect(remaining).toBe(count - workloads.length);
      expect([nextShardKey === shardKeyLimit, deferredRegistries.size === 0]).toEqual([
        remaining === 0,
        remaining === 0,
      ]);
    }),
    { numRuns: 100 },
  );
});

test("while a batch is selected, no more workloads are held in memory than fit", async () => {
  setFlagsFromString("--expose-gc");
  const collectGarbage = runInNewContext("gc") as () => void;
  const maxWorkloads = 200;
  const listed: WeakRef<Workload>[] = [];
  const alive: number[] = [];

  function track(workload: Workload): Workload {
    listed.push(new WeakRef(workload));
    return workload;
  }

  async function* generated(): AsyncGenerator<Workload> {
    for (let index = 0; index < 4000; index += 1) {
      const source = `registry.example/shop/r-${index}:1.0.0`;
      yield track(idleWorkload(`w-${index}`, source));
      if (index % 1000 !== 999) continue;
      await setImmediate();
      collectGarbage();
      alive.push(listed.filter((reference) => reference.deref() !== undefined).length);
      await setImmediate();
    }
  }
  await selectBatch(generated(), continuation, maxWorkloads, noDeadline());
  expect(Math.max(...alive)).toBeLessThanOrEqual(maxWorkloads + 2);
});

test("a list that is not complete before the deadline is an error", async () => {
  const deadline = new AbortController();
  async function* slow(): AsyncGenerator<Workload> {
    yield* createWorkloads(3);
    deadline.abort();
    yield* createWorkloads(1);
  }
  await expect(selectBatch(slow(), continuation, 10, deadline.signal)).rejects.toMatchObject({ name: "ListTooSlow" });
});
