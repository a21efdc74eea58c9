import { describe, expect, test } from "vitest";
import { adopt } from "../../../../functions/domain/workload/update/adopt.ts";
import { recordRollback } from "../../../../functions/domain/workload/rollback/rollback.ts";
import { restartingWorkload, restartInFlight } from "../../../support/digest-workloads.ts";
import {
  after,
  image,
  inFlight,
  updatingWorkload,
  workload,
  updateTarget,
  canaryInFlight,
} from "../../../support/workloads.ts";

const pending = { ...inFlight, isApplied: false };

describe("a change that was claimed and not written", () => {
  test("is withheld after its owner opted out; the claim is taken over", () => {
    const initial = updatingWorkload({ image, inFlight: pending, policy: { optIn: "no" } });
    expect(adopt(initial, "e-2", updateTarget, after(1))).toEqual({
      kind: "abort",
      reason: "auto-update was disabled before the change",
      change: { inFlight: { ...pending, startedAt: after(1), execution: "e-2" } },
      freesPods: false,
    });
  });

  test("is not withheld if it was written before its owner opted out", () => {
    const initial = updatingWorkload({ inFlight, policy: { optIn: "no" } });
    expect(adopt(initial, "e-2", updateTarget, after(1))).toMatchObject({ kind: "adopted" });
  });

  test("blames no version if it fails", () => {
    const change = recordRollback(updatingWorkload({ image, inFlight: pending }), pending, "denied", after(1));
    expect(change).toMatchObject({ image, canary: null, inFlight: { phase: "rollback" } });
    expect(change).not.toHaveProperty("updateRecord");
  });

  test("of a restart restores the digests that were recorded before", () => {
    const claim = { ...restartInFlight, isApplied: false };
    const change = recordRollback(restartingWorkload({ inFlight: claim }), claim, "denied", after(1));
    expect(change).toMatchObject({ canary: null, digests: expect.anything(), inFlight: { phase: "rollback" } });
    expect(change).not.toHaveProperty("image");
    expect(change).not.toHaveProperty("updateRecord");
  });
});

describe("an execution that aborts the update of a workload that has the claim in itself", () => {
  const { record } = workload();
  const own = { ...record, resourceVersion: null, state: "observed" } as const;
  const abort = (phase: "rollout" | "canary") =>
    adopt(
      updatingWorkload({ inFlight: phase === "canary" ? canaryInFlight : inFlight, record: own }),
      "e-2",
      updateTarget,
      after(1),
      true,
    );

  test("does nothing if the manual change was reverted", () => {
    expect(abort("rollout")).toMatchObject({
      kind: "superseded",
      reason: "the manual change was reverted",
      change: null,
    });
  });

  test("takes a canary over, and creates none", () => {
    const adopted = abort("canary");
    expect(adopted).toMatchObject({ kind: "abort", change: { inFlight: { execution: "e-2" }, verdict: "abort" } });
    expect(adopted).not.toHaveProperty("change.canary");
  });
});
