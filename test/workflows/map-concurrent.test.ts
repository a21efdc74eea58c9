import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import { mapConcurrent } from "../../functions/workflows/map-concurrent.ts";

test("limits the concurrency and returns the results in order", async () => {
  let running = 0;
  let maxRunning = 0;
  const doubled = await mapConcurrent([1, 2, 3, 4, 5], 2, async (item) => {
    maxRunning = Math.max(maxRunning, (running += 1));
    await nextTurn();
    running -= 1;
    return item * 2;
  });
  expect(doubled).toEqual([2, 4, 6, 8, 10]);
  expect(maxRunning).toBe(2);
});

test("awaits all items before it throws the error of one", async () => {
  const completed: number[] = [];
  const failing = mapConcurrent([1, 2, 3], 3, async (item) => {
    if (item === 1) throw new Error("no answer");
    await nextTurn();
    completed.push(item);
  });
  await expect(failing).rejects.toThrow("no answer");
  expect(completed).toEqual([2, 3]);
});
