import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { createPacedQueue } from "../../../../functions/workflows/poll/record/pace-writes.ts";
import { Throttled, Unreachable } from "../../../../functions/ports/errors.ts";

test("runs at most as many at a time as it should", async () => {
  const paced = createPacedQueue(3);
  let [running, most] = [0, 0];
  const work = async () => {
    most = Math.max(most, (running += 1));
    await setImmediate();
    running -= 1;
  };
  await Promise.all(Array.from({ length: 20 }, () => paced(work)));
  expect(most).toBe(3);
});

test("all wait if one is throttled, and that one is repeated", async () => {
  const paced = createPacedQueue(1);
  const startedAt = new Map<string, number[]>();
  const note = (name: string) => startedAt.set(name, [...(startedAt.get(name) ?? []), performance.now()]);
  const throttledOnce = paced(async () => {
    note("throttled");
    if (startedAt.get("throttled")?.length === 1) throw new Throttled("429", 0.2);
    return "done";
  });
  const other = paced(async () => note("other"));
  expect(await throttledOnce).toBe("done");
  await other;
  const [first = 0, second = 0] = startedAt.get("throttled") ?? [];
  expect(second - first).toBeGreaterThan(190);
  expect(startedAt.get("other")?.[0]).toBeGreaterThanOrEqual(second);
});

test("those that start during a pause wait for its end", async () => {
  const paced = createPacedQueue(2);
  let isThrottled = true;
  const throttled = paced(async () => {
    if (isThrottled) throw new Throttled("429", 0.2);
  });
  await setImmediate();
  const [queuedAt, startedAt] = [performance.now(), paced(async () => performance.now())];
  isThrottled = false;
  await throttled;
  expect((await startedAt) - queuedAt).toBeGreaterThan(150);
});

test("one that stays throttled fails after five attempts", async () => {
  let attempts = 0;
  const paced = createPacedQueue(1);
  const throttled = paced(async () => {
    attempts += 1;
    throw new Throttled("429", 0.001);
  });
  await expect(throttled).rejects.toMatchObject({ name: "Throttled" });
  expect(attempts).toBe(5);
});

test("any other error is not repeated", async () => {
  let attempts = 0;
  const failing = createPacedQueue(1)(async () => {
    attempts += 1;
    throw new Unreachable("no answer");
  });
  await expect(failing).rejects.toMatchObject({ name: "Unreachable" });
  expect(attempts).toBe(1);
});
