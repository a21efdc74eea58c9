import { describe, expect, test } from "vitest";
import { recordHookEnd, recordHookFailure } from "../../../../functions/domain/workload/hook/record-hook.ts";
import type { InFlight } from "../../../../functions/domain/workload/workload.ts";
import { after, inFlight, noon, target, updatingWorkload } from "../../../support/workloads.ts";

const run = { stage: "pre", job: "migrate", startedAt: noon, result: null } as const;
const claimed: InFlight = { ...inFlight, isApplied: false, hook: run };
const reason = "the pre hook migrate failed: BackoffLimitExceeded";

test.for([
  { result: "succeeded", hook: { ...run, result: "succeeded" } },
  { result: "failed", hook: { ...run, result: "failed", reason } },
] as const)("the end of a hook is noted: $result", ({ result, hook }) => {
  expect(recordHookEnd(claimed, run, result, reason)).toEqual({ inFlight: { ...claimed, hook } });
});

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

  test("the last that is allowed opens the circuit", () => {
    expect(fail("failed", { maxRollbacks: 1 })).toMatchObject({ updateRecord: { circuitOpen: true } });
  });

  test("a Job without a result blames nothing, and is tried again", () => {
    const change = fail("unknown");
    expect(change).toMatchObject({
      inFlight: null,
      backOff: { reason: "HookFailed", targetImage: target, attempts: 1, message: reason, until: after(2) },
    });
    expect(change.updateRecord).toEqual({ versionHistory: [expect.objectContaining({ status: "HookFailed" })] });
  });

  test("after its owner disabled it, nothing is blamed", () => {
    expect(fail("failed", { enabled: false }).updateRecord).not.toHaveProperty("failedVersions");
  });

  test("the measurements of a canary are removed", () => {
    expect(fail("failed", {}, { ...claimed, phase: "canary" })).toMatchObject({ analysis: null });
  });
});
