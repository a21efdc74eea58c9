import { secondsAfter } from "../../functions/domain/text/rfc3339.ts";
import { expect, test } from "vitest";
import { createExpiringCache } from "../../functions/adapters/expiring-cache.ts";
import { noon } from "../support/workloads.ts";

/** Caches 1, 2, 3…, each valid for a minute. */
function createCounter() {
  let time = noon;
  let fetches = 0;
  const now = () => time;
  const fetch = async () => ({ value: (fetches += 1), expiresAt: secondsAfter(time, 60) });
  return {
    numbers: createExpiringCache(fetch, now),
    pass: (seconds: number) => void (time = secondsAfter(time, seconds)),
  };
}

test.for([
  { passed: 0, expected: 1 },
  { passed: 59, expected: 1 },
  { passed: 60, expected: 2 },
  { passed: 3600, expected: 2 },
])("after $passed seconds it returns $expected", async ({ passed, expected }) => {
  const { numbers, pass } = createCounter();
  await numbers.get();
  pass(passed);
  expect(await numbers.get()).toBe(expected);
});

test("concurrent callers share one fetch", async () => {
  const { numbers } = createCounter();
  expect(await Promise.all([numbers.get(), numbers.get(), numbers.get()])).toEqual([1, 1, 1]);
});

test("a rejected value is fetched again, and only once if it is rejected twice", async () => {
  const { numbers } = createCounter();
  const first = await numbers.get();
  numbers.forget(first);
  expect(await numbers.get()).toBe(2);
  numbers.forget(first);
  expect(await numbers.get()).toBe(2);
});

test("a failure reaches every caller that waits for it, and is not cached", async () => {
  let fails = true;
  const fetch = async () => {
    if (fails) throw new Error("no");
    return { value: "yes", expiresAt: secondsAfter(noon, 60) };
  };
  const value = createExpiringCache(fetch, () => noon);
  const both = await Promise.allSettled([value.get(), value.get()]);
  expect(both.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  fails = false;
  expect(await value.get()).toBe("yes");
});
