import { setImmediate } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Workload } from "../../functions/domain/workload.ts";
import { endOfPlaces, seatOf } from "../../functions/polling/place.ts";
import { gather } from "../../functions/polling/share.ts";
import { wholePoll } from "../../functions/polling/rest.ts";
import { allTheTime } from "../../functions/polling/time-is-up.ts";
import { noon } from "../support/workloads.ts";
import { many } from "./many.ts";
import { resting } from "./shop.ts";

const rest = { ...wholePoll(noon), seed: "s" };

async function* each<Item>(items: readonly Item[]): AsyncGenerator<Item> {
  yield* items;
}

test("a share is what stands lowest, in its order, and no more than fits", async () => {
  const sizes = { count: fc.integer({ min: 0, max: 300 }), most: fc.integer({ min: 1, max: 300 }) };
  await fc.assert(
    fc.asyncProperty(fc.record(sizes), async ({ count, most }) => {
      const workloads = many(count, ["a.example", "b.example"]);
      const { seated, until, left, later } = await gather(each(workloads), rest, most, allTheTime());
      const places = workloads.map((workload) => seatOf(workload, rest.seed).place).toSorted((a, b) => a - b);
      expect(seated.map(({ place }) => place)).toEqual(places.filter((place) => place < until));
      expect(seated.length).toBeLessThanOrEqual(most);
      expect(seated.length).toBeGreaterThanOrEqual(Math.min(count, Math.max(1, Math.floor((most * 7) / 8))));
      expect(left).toBe(count - seated.length);
      expect([until === endOfPlaces, later.size === 0]).toEqual([left === 0, left === 0]);
    }),
    { numRuns: 100 },
  );
});

test("while it is gathered no more workloads are held than fit", async () => {
  setFlagsFromString("--expose-gc");
  const collectGarbage = runInNewContext("gc") as () => void;
  const most = 200;
  const given: WeakRef<Workload>[] = [];
  const alive: number[] = [];

  function noted(workload: Workload): Workload {
    given.push(new WeakRef(workload));
    return workload;
  }

  async function* generated(): AsyncGenerator<Workload> {
    for (let index = 0; index < 4000; index += 1) {
      const source = `registry.example/shop/r-${index}:1.0.0`;
      yield noted(resting(`w-${index}`, source));
      if (index % 1000 !== 999) continue;
      await setImmediate();
      collectGarbage();
      alive.push(given.filter((one) => one.deref() !== undefined).length);
      await setImmediate();
    }
  }
  await gather(generated(), rest, most, allTheTime());
  expect(Math.max(...alive)).toBeLessThanOrEqual(most + 2);
});

test("a list that takes all the time there is is an error", async () => {
  const time = new AbortController();
  async function* slow(): AsyncGenerator<Workload> {
    yield* many(3);
    time.abort();
    yield* many(1);
  }
  await expect(gather(slow(), rest, 10, time.signal)).rejects.toMatchObject({ name: "ListTooSlow" });
});
