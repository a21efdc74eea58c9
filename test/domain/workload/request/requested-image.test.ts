import { describe, expect, test } from "vitest";
import { rollbackOf } from "../../../support/rollback.ts";
import { recordCheck } from "../../../../functions/domain/workload/record/record-check.ts";
import { adopt } from "../../../../functions/domain/workload/update/adopt.ts";
import { checkClaim, isReleasedByExecution } from "../../../../functions/domain/workload/update/claim.ts";
import { decideWithoutTags } from "../../../../functions/domain/workload/decision/decide.ts";
import { isManagedChange } from "../../../../functions/domain/workload/decision/manual-change.ts";
import { preconditionFailure } from "../../../../functions/domain/workload/decision/preconditions.ts";
import {
  canaryInFlight,
  inFlight,
  noon,
  ownRecord,
  target,
  workload,
  type WorkloadParts,
  updateTarget,
} from "../../../support/workloads.ts";

const other = "registry.example/shop/app:2.0.0";
const size = { unit: "replicas", amount: 3 } as const;

/** Creates a workload whose owner requests the complete image 1.1.0; no tags are listed. */
function requesting(parts: WorkloadParts = {}) {
  return workload({ source: null, requestedImage: target, ...parts });
}

describe("a requested image", () => {
  test.for([
    { when: "idle", parts: {}, decision: { kind: "update", target: updateTarget } },
    { when: "paused", parts: { policy: { paused: true } }, decision: { kind: "hold", reason: "paused" } },
    { when: "disabled", parts: { policy: { optIn: "no" as const } }, decision: { kind: "hold", reason: "disabled" } },
    { when: "as many canary as stable replicas", parts: { policy: { canary: size } }, decision: { kind: "update" } },
  ])("$when: $decision", ({ parts, decision }) => {
    expect(decideWithoutTags(requesting(parts), noon)).toMatchObject(decision);
  });

  test.for([
    { when: "it is still requested", parts: {}, isRejected: false },
    { when: "it has failed before", parts: { updateRecord: { failedVersions: ["1.1.0"] } }, isRejected: false },
    { when: "another image is requested", parts: { requestedImage: other }, isRejected: true },
    { when: "none is requested any more", parts: { requestedImage: null }, isRejected: true },
  ])("preconditionFailure when $when: rejected $isRejected", ({ parts, isRejected }) => {
    expect(preconditionFailure(requesting(parts), { target: updateTarget, digests: null }, noon) !== null).toBe(
      isRejected,
    );
  });
});

describe("another image during an update", () => {
  const superseded = requesting({ record: ownRecord, inFlight: canaryInFlight, requestedImage: other });

  test("ends the claim", () => {
    expect(checkClaim(superseded, "e-1", updateTarget)).toEqual({
      kind: "lost",
      reason: `the image was changed to ${other}`,
    });
    expect(checkClaim({ ...superseded, requestedImage: target }, "e-1", updateTarget).kind).toBe("held");
  });

  test("does not stop a rollback", () => {
    expect(isManagedChange(superseded, rollbackOf(canaryInFlight))).toBe(true);
  });

  test("is reported, and an execution releases the claim without a change of the current version", () => {
    const decision = decideWithoutTags(superseded, noon);
    if (decision.kind !== "hold") throw new Error(decision.kind);
    const detail = `the image was changed to ${other} while ${target} was rolled out`;
    expect(decision).toMatchObject({ reason: "manual-change", detail });
    const lastReported = { held: detail };
    expect(recordCheck(superseded, decision, noon)).toMatchObject({ change: { lastReported }, events: [{}] });
    expect(recordCheck(superseded, decision, noon).change).toEqual({ lastReported });
    const reported = { ...superseded, lastReported: { held: detail, problem: null } };
    expect(recordCheck(reported, decision, noon)).toEqual({ change: null, events: [] });
    expect(adopt(superseded, "e-2", updateTarget, noon, true)).toEqual({
      kind: "superseded",
      change: { inFlight: null, canary: null, verdict: null, lastReported },
      reason: detail,
      freesPods: false,
    });
  });

  test("after the promotion, an execution releases the claim and keeps the sets", () => {
    const promoted = { ...superseded, inFlight };
    expect(isReleasedByExecution(promoted, inFlight)).toBe(true);
    const { change } = adopt(promoted, "e-2", updateTarget, noon, true);
    expect(Object.keys(change ?? {})).toEqual(["inFlight", "lastReported"]);
    expect(adopt(promoted, "e-2", updateTarget, noon)).toMatchObject({ kind: "superseded", change: null });
  });

  test("that is reverted before the execution starts leaves the update to the next poll", () => {
    const again = { ...superseded, requestedImage: target, image: target, inFlight };
    expect(adopt(again, "e-2", updateTarget, noon, true)).toEqual({
      kind: "superseded",
      reason: "the manual change was reverted",
      change: null,
      freesPods: false,
    });
    expect(adopt(again, "e-2", updateTarget, noon)).toMatchObject({ kind: "adopted" });
  });

  test("of a built-in kind is recorded in its AutoUpdate, unless a canary has to be removed", () => {
    const builtIn = requesting({ inFlight, requestedImage: other });
    expect(isReleasedByExecution(builtIn, inFlight)).toBe(false);
    expect(isReleasedByExecution(builtIn, canaryInFlight)).toBe(true);
  });
});
