import { expect, test } from "vitest";
import { rollbackOf } from "../../../support/rollback.ts";
import { chooseRelease, isRunningRelease } from "../../../../functions/domain/workload/release/choose-release.ts";
import { inFlight, workload } from "../../../support/workloads.ts";
import { release, released, claim } from "./releases.ts";
import { fieldProblem } from "../../../../functions/domain/workload/policy/problem.ts";

const canary = fieldProblem("pawl.dev/canary", "InvalidValue", "what?");
const failed = release(3, { result: "Failed" });
const list = [release(1), release(2), failed, release(4)];

test.for([
  { when: "no number: the second newest that succeeded", hash: "hash-4", argument: null, number: 2 },
  { when: "no number, an unsettled change: the newest", hash: "other", argument: null, number: 4 },
  { when: "a number", hash: "hash-4", argument: "1", number: 1 },
])("$when", ({ hash, argument, number }) => {
  expect(chooseRelease(released(list, hash), argument)).toMatchObject({ kind: "chosen", release: { number } });
});

test.for([
  { when: "unknown", argument: "9", reason: "there is no release 9; recorded are 1, 2, 3, 4" },
  { when: "not a number", argument: "1.0.0", reason: "there is no release 1.0.0; recorded are 1, 2, 3, 4" },
  { when: "failed", argument: "3", reason: "release 3 has failed" },
  { when: "running", argument: "4", reason: "release 4 is running" },
])("refused: $when", ({ argument, reason }) => {
  expect(chooseRelease(released(list, "hash-4"), argument)).toEqual({ kind: "refused", reason });
});

test.for([
  { when: "not recorded", found: workload(), reason: "releases are not recorded" },
  { when: "none", found: released([], "hash-1"), reason: "no earlier release has succeeded" },
  { when: "one only", found: released([release(1)], "hash-1"), reason: "no earlier release has succeeded" },
  { when: "failed before", found: released([failed, release(4)], "hash-4"), reason: "no earlier release" },
  { when: "disabled", found: released(list, "hash-4", { policy: { optIn: "no" } }), reason: "disabled" },
  {
    when: "invalid hooks",
    found: released(list, "hash-4", { problems: [canary, fieldProblem("pawl.dev/hooks", "InvalidValue", "what?")] }),
    reason: "pawl.dev/hooks: what?",
  },
  { when: "a canary is left", found: released(list, "hash-4", { isCanaryLeft: true }), reason: "a canary" },
  {
    when: "an update",
    found: released(list, "hash-4", { inFlight }),
    reason: "; to abort it first, use pawl rollback",
  },
  {
    when: "a second rollback",
    found: released(list, "hash-4", { inFlight: claim }),
    reason: "a rollback to release 1 of registry",
  },
  {
    when: "a rollback of an update",
    found: released(list, "hash-4", { inFlight: rollbackOf(inFlight) }),
    reason: `the rollback of ${inFlight.target.image} is in flight`,
  },
])("refused at once: $when", ({ found, reason }) => {
  expect(chooseRelease(found, null)).toEqual({ kind: "refused", reason: expect.stringContaining(reason) });
});

test("refused without any release: an explicit number", () => {
  expect(chooseRelease(released([], "hash-1"), "1")).toEqual({
    kind: "refused",
    reason: "there is no release 1; none is recorded",
  });
});

test.for([
  { number: "4", runs: true },
  { number: "2", runs: false },
  { number: "9", runs: false },
  { number: null, runs: false },
])("release $number runs: $runs", ({ number, runs }) => {
  expect(isRunningRelease(released(list, "hash-4"), number)).toBe(runs);
});

test("another invalid setting does not refuse it", () => {
  const found = released(list, "hash-4", { problems: [canary] });
  expect(chooseRelease(found, null)).toMatchObject({ kind: "chosen", release: { number: 2 } });
});
