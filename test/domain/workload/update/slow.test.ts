import { expect, test } from "vitest";
import { updateState } from "../../../../functions/domain/state/update-state.ts";
import { slowReport } from "../../../../functions/domain/workload/update/slow.ts";
import type { InFlight } from "../../../../functions/domain/workload/update/in-flight.ts";
import { afterSeconds } from "../../../support/observed-pods.ts";
import { problemsOf } from "../../../support/problems.ts";
import { rollbackOf } from "../../../support/rollback.ts";
import { canaryInFlight, completeRollout, inFlight, noon, target, workload } from "../../../support/workloads.ts";

const moving = { ...completeRollout, updatedReplicas: 2, readyReplicas: 1 };
const hour = 3600;
const slow = { ...inFlight, isSlow: true } as InFlight;

test.for([
  { when: "an hour", at: hour, isSlow: false },
  { when: "more than an hour", at: hour + 1, isSlow: true },
  { when: "less than 40 pods may take", desired: 40, at: 40 * 600, isSlow: false },
  { when: "more than 40 pods may take", desired: 40, at: 40 * 600 + 1, isSlow: true },
  { when: "more than an hour, as is reported", claim: slow, at: hour + 1, isSlow: false },
  { when: "more than an hour for a canary", claim: canaryInFlight, at: hour + 1, isSlow: false },
  { when: "more than an hour for a rollback", claim: rollbackOf(inFlight), at: hour + 1, isSlow: false },
  {
    when: "more than an hour for a bake time",
    claim: { ...inFlight, observation: { kind: "baking", since: noon } } as InFlight,
    at: hour + 1,
    isSlow: false,
  },
  {
    when: "an unknown time",
    claim: { ...inFlight, startedAt: "malformed" } as InFlight,
    at: hour + 1,
    isSlow: false,
  },
])("an update that takes $when is slow: $isSlow", ({ claim = inFlight, desired = 3, at, isSlow }) => {
  const rollout = { ...moving, desiredReplicas: desired };
  expect(slowReport(workload({ rollout }), claim, afterSeconds(at)) !== null).toBe(isSlow);
});

test.for([
  { when: "without an object that manages its pods", parts: { rollout: null } },
  { when: "that cannot be judged", parts: { rollout: moving, problems: problemsOf("x") } },
  { when: "whose replicas are ready", parts: { rollout: completeRollout } },
  {
    when: "whose claim is on the object itself",
    parts: { rollout: moving, record: { ...workload().record, resourceVersion: null, state: "observed" as const } },
  },
])("an update $when is not reported", ({ parts }) => {
  expect(slowReport(workload(parts), inFlight, afterSeconds(2 * hour))).toBeNull();
});

test("it is reported with its progress, and with a key of its own", () => {
  expect(slowReport(workload({ rollout: moving }), inFlight, afterSeconds(2 * hour))).toMatchObject({
    reason: "AutoUpdateSlow",
    message: `The update to ${target} has taken longer than 1h0m0s, and continues: 2 of 3 replicas updated`,
    key: expect.stringContaining(target),
  });
});

test("its state says so", () => {
  expect(updateState({ inFlight: slow, canaryProgress: null })).toMatchObject({ state: "Updating", reason: "Slow" });
});
