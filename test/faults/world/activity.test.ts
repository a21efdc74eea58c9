import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import { createActivity } from "./activity.ts";

test("a function that neither sends nor ends fails its cell by name", async () => {
  const activity = createActivity(() => ["ApplyUpdate"], { busyMs: 20, turns: 1000 });
  await expect(activity.settled()).rejects.toThrow("neither sends nor ends: ApplyUpdate");
});

test("what continues for ever while time does not pass fails its cell", async () => {
  const activity = createActivity(() => ["poll"], { busyMs: 60_000, turns: 1000 });
  const repeating = { isOn: true };
  const repeat = async () => {
    for (; repeating.isOn; await nextTurn()) activity.note();
  };
  const repeated = repeat();
  await expect(activity.settled()).rejects.toThrow("time does not pass: poll");
  repeating.isOn = false;
  await repeated;
});
