import { describe, expect, test } from "vitest";
import { recordedState, type StateFacts } from "../../../functions/domain/state/recorded-state.ts";
import { createState } from "../../../functions/domain/state/state.ts";
import { rollbackOf } from "../../support/rollback.ts";
import type { BackOff } from "../../../functions/domain/workload/workload.ts";
import { targetKey } from "../../../functions/domain/workload/target/target.ts";
import { restartInFlight } from "../../support/digest-workloads.ts";
import { after, inFlight, noon, rollingBack, updateTarget, workload } from "../../support/workloads.ts";

const backOff: BackOff = {
  reason: "Refused",
  message: "denied",
  target: updateTarget,
  attempts: 1,
  until: after(5),
  execution: null,
};
const upToDate = createState(["UpToDate", "NewestVersion"], "1.0.0 is the newest");
const held = createState(["Held", "Suspended"], "it is paused");
const canary = { ...inFlight, phase: "canary" } as const;
const progress = {
  step: 1,
  steps: 2,
  plan: "1, 50%",
  size: "1",
  waitsFor: "Replicas",
  since: noon,
  until: null,
} as const;
const hook = { stage: "pre", job: "migrate", startedAt: noon, result: null } as const;

interface Case {
  readonly when: string;
  readonly facts?: Partial<Omit<StateFacts, "updateRecord">>;
  readonly record?: Partial<StateFacts["updateRecord"]>;
  readonly state: string;
  readonly message?: string | RegExp;
}

describe("the state of a workload", () => {
  test.for<Case>([
    { when: "nothing was evaluated", state: "NotEvaluated AwaitsPoll" },
    { when: "the last poll found nothing newer", facts: { evaluated: upToDate }, state: "UpToDate NewestVersion" },
    {
      when: "what was written was an update, which is over",
      facts: { evaluated: createState(["Updating", "Updating"], "updating") },
      state: "NotEvaluated AwaitsPoll",
    },
    {
      when: "three unexpected errors ended an update in flight",
      facts: { inFlight, backOff: { ...backOff, reason: "Failed", attempts: 3 } },
      state: "Stalled UpdateFailed",
    },
    {
      when: "polls leave it out while an update is in flight",
      facts: { inFlight, backOff: { ...backOff, reason: "Quarantined" } },
      state: "Waiting Quarantined",
    },
    {
      when: "polls no longer leave it out",
      facts: { inFlight, backOff: { ...backOff, reason: "Quarantined", until: noon } },
      state: "Updating Updating",
    },
    { when: "an attempt backs off in an update", facts: { inFlight, backOff }, state: "Updating Updating" },
    { when: "an attempt backs off", facts: { backOff, evaluated: upToDate }, state: "Waiting Refused" },
    {
      when: "the last poll exceeded its budget",
      facts: { backOff: { ...backOff, reason: "BudgetExceeded" }, evaluated: upToDate },
      state: "NotEvaluated BudgetExceeded",
      message: "not evaluated in the last poll: denied",
    },
    {
      when: "three polls in a row exceeded it",
      facts: { backOff: { ...backOff, reason: "BudgetExceeded", attempts: 3 }, evaluated: upToDate },
      state: "Stalled BudgetExceeded",
      message: "not evaluated in 3 polls in a row: denied",
    },
    {
      when: "it is suspended while an attempt backs off: nothing is tried again",
      facts: { backOff, evaluated: held },
      state: "Held Suspended",
    },
    {
      when: "one rollback opened the circuit",
      record: { circuitOpen: true, rollbackCount: 1 },
      state: "CircuitOpen CircuitOpen",
      message: /^1 failed attempt opened the circuit;/,
    },
    {
      when: "the circuit is open, and it is suspended",
      facts: { evaluated: held },
      record: { circuitOpen: true, rollbackCount: 3 },
      state: "CircuitOpen CircuitOpen",
      message: '3 failed attempts in a row opened the circuit; run "pawl reset" to try again',
    },
    {
      when: "a release could not be reverted",
      record: {
        circuitOpen: true,
        versionHistory: [
          { version: "1.1.0", appliedAt: noon, status: "RollbackFailed", release: 1, reason: "not ready" },
        ],
      },
      state: "CircuitOpen CircuitOpen",
      message: /^the rollback to release 1 failed, and was not reverted: not ready; correct the pod template/,
    },
    { when: "it is updated", facts: { inFlight }, state: "Updating Updating", message: "updating to 1.1.0" },
    {
      when: "it restarts",
      facts: { inFlight: restartInFlight },
      state: "Updating Restarting",
      message: `restarting ${targetKey(restartInFlight.target)}`,
    },
    {
      when: "it bakes",
      facts: { inFlight: { ...inFlight, observation: { kind: "baking", since: noon } } },
      state: "Updating Baking",
    },
    {
      when: "it is rolled back, and the version before it shows whether it is the cause",
      facts: { inFlight: rollbackOf(inFlight, { suspect: { reason: "not ready", execution: "e-1" } }) },
      state: "RollingBack RollingBack",
      message: "rolling back 1.1.0: not ready",
    },
    {
      when: "it is rolled back",
      facts: { inFlight: rollingBack },
      state: "RollingBack RollingBack",
      message: "rolling back 1.1.0",
    },
    {
      when: "no deadline counts",
      facts: { inFlight: { ...inFlight, observation: { kind: "waiting", reason: "scaled to 0" } } },
      state: "Waiting NoVerdict",
      message: "updating to 1.1.0: scaled to 0",
    },
    { when: "its canary is not recorded yet", facts: { inFlight: canary }, state: "Updating CanaryInProgress" },
    {
      when: "its canary runs",
      facts: { inFlight: canary, canaryProgress: progress },
      state: "Updating CanaryInProgress",
      message: "updating to 1.1.0, canary 1/2 (1 replica)",
    },
    {
      when: "its canary waits for a person",
      facts: { inFlight: canary, canaryProgress: { ...progress, waitsFor: "Promotion" } },
      state: "Waiting CanaryPaused",
      message: /run "pawl promote" or "pawl abort"$/,
    },
    {
      when: "its hook runs",
      facts: { inFlight: { ...inFlight, hook } },
      state: "Waiting HookRunning",
      message: "updating to 1.1.0: waits for the pre hook migrate",
    },
    {
      when: "its hook has run",
      facts: { inFlight: { ...inFlight, hook: { ...hook, result: "succeeded" } } },
      state: "Updating Updating",
    },
  ])("$when: $state", ({ facts, record, state, message = /./ }) => {
    const initial = workload({ ...facts, ...(record === undefined ? {} : { updateRecord: record }) });
    const found = recordedState(initial, noon);
    expect(`${found.state} ${found.reason}`).toBe(state);
    expect(found.message).toMatch(message);
  });

  test("a message has at most 1,024 characters", () => {
    const long = workload({ lastReported: { held: null, problem: "x".repeat(4000) } });
    expect(recordedState(long, noon).message).toHaveLength(1024);
  });
});
