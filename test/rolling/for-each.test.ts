import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import { forEach } from "../../functions/rolling/for-each.ts";

test("does so many at a time, and answers in the order of what it was given", async () => {
  let underWay = 0;
  let most = 0;
  const doubled = await forEach([1, 2, 3, 4, 5], 2, async (one) => {
    most = Math.max(most, (underWay += 1));
    await nextTurn();
    underWay -= 1;
    return one * 2;
  });
  expect(doubled).toEqual([2, 4, 6, 8, 10]);
  expect(most).toBe(2);
});

test("where one fails, all others are awaited before that is thrown", async () => {
  const done: number[] = [];
  const failing = forEach([1, 2, 3], 3, async (one) => {
    if (one === 1) throw new Error("no answer");
    await nextTurn();
    done.push(one);
  });
  await expect(failing).rejects.toThrow("no answer");
  expect(done).toEqual([2, 3]);
});
