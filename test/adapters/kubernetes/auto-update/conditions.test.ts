import { imageTarget } from "../../../support/workloads.ts";
import { expect, test } from "vitest";
import { assessStatus, reportedProblem } from "../../../../functions/adapters/kubernetes/auto-update/conditions.ts";
import type { AutoUpdateStatus } from "../../../../functions/adapters/kubernetes/auto-update/status/status-fields.ts";
import { updateOf } from "../../../contracts/cluster/auto-update/harness.ts";

const noon = new Date("2026-11-20T12:00:00Z");
const later = new Date("2026-11-20T13:00:00Z");
const ref = { apiVersion: "apps/v1", kind: "Deployment", namespace: "shop", name: "app", uid: "u-1" };
const updating: AutoUpdateStatus = { update: updateOf(ref) };
const backOff = {
  reason: "Refused",
  message: "denied",
  target: imageTarget("shop/app:1.1.0"),
  attempts: 3,
  until: "2026-11-20T12:04:00Z",
} as const;

function conditionsOf(after: AutoUpdateStatus, problem: string | null, generation: number, now: Date) {
  return assessStatus({}, after, { lastReported: { problem } }, generation, now).conditions ?? [];
}

test.for([
  { when: "nothing is recorded", status: {}, problem: null, types: { Ready: "AwaitsPoll" } },
  { when: "a version runs", status: { currentVersion: "1.0.0" }, problem: null, types: { Ready: "AwaitsPoll" } },
  { when: "a hold is reported", status: { holdReason: "no" }, problem: null, types: { Ready: "AwaitsPoll" } },
  {
    when: "an update is in flight",
    status: updating,
    problem: null,
    types: { Ready: "Updating", Reconciling: "Updating" },
  },
  {
    when: "a canary is in flight",
    status: { update: updateOf(ref, { strategy: "Canary" }) },
    problem: null,
    types: { Ready: "CanaryInProgress", Reconciling: "CanaryInProgress" },
  },
  {
    when: "an update bakes",
    status: { update: updateOf(ref, { bakingSince: "2026-11-20T12:00:00Z" }) },
    problem: null,
    types: { Ready: "Baking", Reconciling: "Baking" },
  },
  {
    when: "a rollback is in flight",
    status: { update: updateOf(ref, { phase: "RollingBack", bakingSince: "2026-11-20T12:00:00Z" }) },
    problem: null,
    types: { Ready: "RollingBack", Reconciling: "RollingBack" },
  },
  {
    when: "the circuit is open",
    status: { circuitOpen: true },
    problem: null,
    types: { Ready: "CircuitOpen", Stalled: "CircuitOpen" },
  },
  {
    when: "a refused update backs off",
    status: { backOff },
    problem: null,
    types: { Ready: "Refused", Reconciling: "Refused" },
  },
  {
    when: "an update backs off that the circuit holds",
    status: { backOff, circuitOpen: true },
    problem: null,
    types: { Ready: "CircuitOpen", Stalled: "CircuitOpen" },
  },
  {
    when: "two unexpected errors ended an update in flight",
    status: { ...updating, backOff: { ...backOff, reason: "Failed" as const, attempts: 2 } },
    problem: null,
    types: { Ready: "Updating", Reconciling: "Updating" },
  },
  {
    when: "three unexpected errors ended an update in flight",
    status: { ...updating, backOff: { ...backOff, reason: "Failed" as const, attempts: 3 } },
    problem: null,
    types: { Ready: "UpdateFailed", Stalled: "UpdateFailed" },
  },
  {
    when: "polls leave it out while an update is in flight",
    status: { ...updating, backOff: { ...backOff, reason: "Quarantined" as const } },
    problem: null,
    types: { Ready: "Quarantined", Reconciling: "Quarantined" },
  },
  {
    when: "polls no longer leave it out",
    status: { ...updating, backOff: { ...backOff, reason: "Quarantined" as const, until: "2026-11-20T12:00:00Z" } },
    problem: null,
    types: { Ready: "Updating", Reconciling: "Updating" },
  },
  {
    when: "a problem is reported in an update",
    status: updating,
    problem: "bad",
    types: { Ready: "InvalidConfiguration", Stalled: "InvalidConfiguration" },
  },
])("if $when: $types", ({ status, problem, types }) => {
  const found = conditionsOf(status, problem, 3, noon);
  expect(Object.fromEntries(found.map(({ type, reason }) => [type, reason]))).toEqual(types);
  const isReady = Object.keys(types).length === 1;
  for (const { type, ...condition } of found) {
    expect(condition).toMatchObject({
      status: type === "Ready" && !isReady ? "False" : "True",
      observedGeneration: 3,
      lastTransitionTime: "2026-11-20T12:00:00Z",
    });
  }
});

test("a condition keeps its time until its status changes, and is equal if nothing changed", () => {
  const conditions = conditionsOf(updating, null, 1, noon);
  expect(conditionsOf({ ...updating, conditions }, null, 1, later)).toEqual(conditions);
  const stalled = conditionsOf({ ...updating, conditions }, "bad", 1, later);
  expect(stalled.map(({ type, lastTransitionTime }) => [type, lastTransitionTime])).toEqual([
    ["Ready", "2026-11-20T12:00:00Z"],
    ["Stalled", "2026-11-20T13:00:00Z"],
  ]);
  const [ready, ...others] = conditionsOf({ conditions: stalled }, null, 1, later);
  expect(others).toEqual([]);
  expect(ready).toMatchObject({ type: "Ready", status: "True", lastTransitionTime: "2026-11-20T13:00:00Z" });
});

test("the problem that was reported is the message of Stalled, and an open circuit is none", () => {
  expect(reportedProblem({ conditions: conditionsOf({}, "bad", 1, noon) })).toBe("bad");
  expect(reportedProblem({ conditions: conditionsOf({ circuitOpen: true }, null, 1, noon) })).toBeNull();
  expect(reportedProblem({})).toBeNull();
});

test("a rollback that could not be reverted is what opened the circuit, and says what to correct", () => {
  const entry = { version: "1.1.0", startedAt: "2026-11-20T12:00:00Z", result: "RollbackFailed", release: 1 };
  const history = [{ ...entry, reason: "not ready; web-2 was deleted" }];
  const [ready] = conditionsOf({ circuitOpen: true, rollbackCount: 0, history }, null, 1, noon);
  expect(ready?.message).toBe(
    'the rollback to release 1 failed, and was not reverted: not ready; web-2 was deleted; correct the pod template; run "pawl reset" to try again',
  );
});
