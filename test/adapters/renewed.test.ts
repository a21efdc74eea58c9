import { expect, test } from "vitest";
import { renewed, secondsAfter } from "../../functions/adapters/renewed.ts";
import { noon } from "../support/workloads.ts";

/** Gives 1, 2, 3…, each of which serves for a minute. */
function counting() {
  let time = noon;
  let fetches = 0;
  const now = () => time;
  const fetch = async () => ({ value: (fetches += 1), usableUntil: secondsAfter(time, 60) });
  return { numbers: renewed(fetch, now), pass: (seconds: number) => void (time = secondsAfter(time, seconds)) };
}

test.for([
  { passed: 0, gives: 1 },
  { passed: 59, gives: 1 },
  { passed: 60, gives: 2 },
  { passed: 3600, gives: 2 },
])("after $passed seconds it gives $gives", async ({ passed, gives }) => {
  const { numbers, pass } = counting();
  await numbers.get();
  pass(passed);
  expect(await numbers.get()).toBe(gives);
});

test("all who ask at once wait for one fetch", async () => {
  const { numbers } = counting();
  expect(await Promise.all([numbers.get(), numbers.get(), numbers.get()])).toEqual([1, 1, 1]);
});

test("what was refused is fetched anew, once however many say so", async () => {
  const { numbers } = counting();
  const first = await numbers.get();
  numbers.forget(first);
  expect(await numbers.get()).toBe(2);
  numbers.forget(first);
  expect(await numbers.get()).toBe(2);
});

test("a failure reaches all who wait for it, and is not kept", async () => {
  let fails = true;
  const fetch = async () => {
    if (fails) throw new Error("no");
    return { value: "yes", usableUntil: secondsAfter(noon, 60) };
  };
  const value = renewed(fetch, () => noon);
  const both = await Promise.allSettled([value.get(), value.get()]);
  expect(both.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  fails = false;
  expect(await value.get()).toBe("yes");
});
