import { expect, test } from "vitest";
import { nextBackOff } from "../../../functions/domain/workload/back-off.ts";
import type { BackOff } from "../../../functions/domain/workload/workload.ts";
import { after, image, noon, target, workload } from "../../support/workloads.ts";

const first: BackOff = { reason: "Refused", message: "denied", targetImage: target, attempts: 1, until: after(1) };

test.for([
  { when: "none before", before: null, attempts: 1, minutes: 1 },
  { when: "one before", before: first, attempts: 2, minutes: 2 },
  { when: "one for another reason before", before: { ...first, reason: "Withdrawn" }, attempts: 2, minutes: 2 },
  { when: "five before", before: { ...first, attempts: 5 }, attempts: 6, minutes: 32 },
  { when: "six before", before: { ...first, attempts: 6 }, attempts: 7, minutes: 60 },
  { when: "thousands before", before: { ...first, attempts: 5000 }, attempts: 5001, minutes: 60 },
  { when: "another target before", before: { ...first, attempts: 9, targetImage: image }, attempts: 1, minutes: 1 },
] as const)("with $when it lasts $minutes min", ({ before, attempts, minutes }) => {
  const backOff = nextBackOff(workload({ backOff: before }), target, "Refused", "denied", noon);
  expect(backOff).toEqual({ ...first, attempts, until: after(minutes) });
});

test("a message is cut to 1024 characters", () => {
  const { message } = nextBackOff(workload(), target, "NotStarted", "x".repeat(5000), noon);
  expect(message).toBe(`${"x".repeat(1023)}…`);
});
