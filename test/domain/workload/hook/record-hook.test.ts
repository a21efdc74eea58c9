import { describe, expect, test } from "vitest";
import { claim } from "../release/releases.ts";
import { recordHookEnd, recordHookFailure } from "../../../../functions/domain/workload/hook/record-hook.ts";
import { recordRollback } from "../../../../functions/domain/workload/rollback/rollback.ts";
import type { InFlight } from "../../../../functions/domain/workload/update/in-flight.ts";
import { after, completeRollout, inFlight, noon, updatingWorkload, updateTarget } from "../../../support/workloads.ts";

const run = { stage: "pre", job: "migrate", startedAt: noon, result: null } as const;
const claimed: InFlight = { ...inFlight, isApplied: false, hook: run };
const reason = "the pre hook migrate failed: BackoffLimitExceeded";

test.for([
  { result: "succeeded", hook: { ...run, result: "succeeded" } },
  { result: "failed", hook: { ...run, result: "failed", reason } },
] as const)("the end of a hook is noted: $result", ({ result, hook }) => {
  const end = result === "succeeded" ? { result } : { result, reason };
  const workload = updatingWorkload({ inFlight: claimed });
  expect(recordHookEnd(workload, claimed, run, end, after(1))).toEqual({ inFlight: { ...claimed, hook } });
});

const template = "0123";
const post = { ...run, stage: "post" } as const;
test.for([
  {
    when: "it is judged again",
    rollout: { ...completeRollout, template },
    observation: { kind: "observed", at: after(60), template },
  },
  { when: "of a kind that notes nothing", rollout: completeRollout, observation: undefined },
  { when: "it is not known", rollout: null, observation: undefined },
  {
    when: "it bakes",
    rollout: { ...completeRollout, template },
    noted: { kind: "baking", since: noon },
    observation: { kind: "baking", since: noon },
  },
] as const)(
  "after its post hook, an update has another health timeout to be ready: $when",
  ({ rollout, observation, ...rest }) => {
    const noted = "noted" in rest ? { observation: rest.noted } : {};
    const update: InFlight = { ...inFlight, hook: post, ...noted };
    const change = recordHookEnd({ rollout }, update, post, { result: "succeeded" }, after(60));
    expect(change.inFlight?.observation).toEqual(observation);
  },
);

describe("a hook before an update that does not succeed ends it", () => {
  const fail = (result: "failed" | "unknown", policy: object = {}, update: InFlight = claimed) =>
    recordHookFailure(updatingWorkload({ inFlight: update, policy }), update, result, reason, after(1));

  test("a Job that failed is counted, and its version is not tried again", () => {
    expect(fail("failed")).toMatchObject({
      inFlight: null,
      updateRecord: {
        rollbackCount: 1,
        circuitOpen: false,
        failedVersions: ["1.1.0"],
        versionHistory: [{ version: "1.1.0", status: "HookFailed", reason, appliedAt: noon }],
      },
    });
    expect(fail("failed")).not.toHaveProperty("backOff");
    expect(fail("failed")).not.toHaveProperty("image");
  });

  test("a Job without a result blames nothing, and is tried again", () => {
    const change = fail("unknown");
    expect(change).toMatchObject({
      inFlight: null,
      backOff: { reason: "HookFailed", target: updateTarget, attempts: 1, message: reason, until: after(2) },
    });
    expect(change.updateRecord).toEqual({ versionHistory: [expect.objectContaining({ status: "HookFailed" })] });
  });

  test("after its owner disabled it, nothing is blamed", () => {
    expect(fail("failed", { optIn: "no" }).updateRecord).not.toHaveProperty("failedVersions");
  });

  test("the measurements of a canary are removed", () => {
    expect(fail("failed", {}, { ...claimed, phase: "canary" })).toMatchObject({ analysis: null });
  });

  test("a rollback on request is neither blamed nor tried again: a person may ask again", () => {
    const change = fail("failed", {}, { ...claim, isApplied: false, hook: run });
    expect(change).toEqual({
      inFlight: null,
      updateRecord: { versionHistory: [expect.objectContaining({ status: "HookFailed", release: 1, reason })] },
      conditions: [
        {
          type: "AutoUpdateInProgress",
          status: "False",
          reason: "HookFailed",
          message: `Not rolled back to 1.1.0: ${reason}`,
        },
      ],
    });
  });
});

test.for([
  { stage: "pre-promotion", result: "failed", cause: "HookFailed" },
  { stage: "pre-promotion", result: "succeeded", cause: "RolledBack" },
  { stage: "post", result: "failed", cause: "RolledBack" },
] as const)("a rollback after the $stage hook $result has the reason $cause", ({ stage, result, cause }) => {
  const update: InFlight = { ...inFlight, phase: "canary", hook: { ...run, stage, result } };
  const { conditions } = recordRollback(updatingWorkload({ inFlight: update }), update, reason, after(1));
  expect(conditions).toEqual([expect.objectContaining({ type: "AutoUpdateInProgress", reason: cause })]);
});
