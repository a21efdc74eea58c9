import { describe, expect, test } from "vitest";
import { recordSuccess } from "../../../../functions/domain/workload/record/update-record.ts";
import { recordRollback } from "../../../../functions/domain/workload/rollback/rollback.ts";
import { recordCanary, recordPromotion } from "../../../../functions/domain/workload/canary/record.ts";
import { digest, tagAndDigestWorkload } from "../../../support/digest-workloads.ts";
import type { InFlight } from "../../../../functions/domain/workload/update/in-flight.ts";
import {
  after,
  canaryInFlight,
  canaryPods,
  canaryWorkload,
  image,
  inFlight,
  noon,
  completeRollout,
  target,
  updatingWorkload,
  workload,
  updateTarget,
} from "../../../support/workloads.ts";

const size = { unit: "percent", amount: 25 } as const;

describe("recordCanary", () => {
  test("claims the workload, runs the target on the canary only and clears earlier measurements", () => {
    const change = recordCanary(
      workload({ verdict: "abort" }),
      { target: updateTarget, digests: null },
      "e-1",
      size,
      noon,
    );
    expect(change).toMatchObject({
      canary: { image: target, size },
      inFlight: canaryInFlight,
      analysis: null,
      verdict: null,
      updateRecord: { currentVersion: "1.0.0", candidateVersion: "1.1.0", lastUpdate: noon },
      lastReported: { held: null, problem: null },
    });
    expect(change).not.toHaveProperty("image");
  });

  test("repeated on a StatefulSet, whose template has the target, keeps the current version", () => {
    const { updateRecord } = recordCanary(
      canaryWorkload({ image: target, source: target }),
      { target: updateTarget, digests: null },
      "e-1",
      size,
      after(5),
    );
    expect(updateRecord).toMatchObject({ currentVersion: "1.0.0" });
  });
});

test.for([
  { of: "a Deployment serves on", canary: canaryPods, ends: {} },
  { of: "a StatefulSet ends", canary: { ...canaryPods, partition: 3 }, ends: { canary: null } },
  { of: "a StatefulCanary ends", canary: { ...canaryPods, sharedReplicas: 4 }, ends: { canary: null } },
  { of: "nobody ends", canary: null, ends: { canary: null } },
])("recordPromotion sets the image on all replicas and restarts the health timeout; the canary of $of", (one) => {
  expect(recordPromotion(canaryWorkload({ canary: one.canary }), canaryInFlight, after(30))).toEqual({
    image: target,
    ...one.ends,
    verdict: null,
    inFlight: { ...inFlight, startedAt: after(30) },
  });
});

test("recordPromotion keeps the start time if repeated", () => {
  expect(recordPromotion(workload(), inFlight, after(30))).toMatchObject({ image: target, canary: null, inFlight });
});

test.for([
  { when: "ready", canary: canaryPods, result: "the canary is promoted" },
  {
    when: "not ready",
    canary: { ...canaryPods, readyReplicas: 0 },
    result: "the canary is promoted, although it is not ready: 0 of 1 replicas ready",
  },
])("recordPromotion answers the request of a person if the canary is $when", ({ canary, result }) => {
  const request = { verb: "promote", argument: null, token: "t-1" };
  const { answer } = recordPromotion(canaryWorkload({ canary, request }), canaryInFlight, after(30));
  expect(answer).toEqual({ token: "t-1", verb: "promote", result });
});

test("recordSuccess after a promotion is the same as without a canary", () => {
  const promoted = { ...inFlight, startedAt: after(30) };
  const { updateRecord } = recordSuccess(updatingWorkload({ inFlight: promoted }), promoted, after(31));
  expect(updateRecord?.versionHistory).toMatchObject([
    { version: "1.1.0", appliedAt: after(30), finishedAt: after(31), status: "Healthy" },
  ]);
});

describe("a canary of a workload tracked by tag and digest", () => {
  const digests = { app: digest(2) };
  const claim = { ...canaryInFlight, digests };
  const initial = tagAndDigestWorkload({ inFlight: claim, canary: completeRollout });

  test("is recorded once, even if repeated", () => {
    const promoted: InFlight = { ...claim, phase: "rollout" };
    const previous = [{ app: digest(1) }];
    const repeated = recordPromotion(
      tagAndDigestWorkload({ digests: { deployed: digests, previous }, inFlight: promoted }),
      promoted,
      after(31),
    );
    expect(repeated.digests).toEqual({ deployed: digests, reverted: null });
  });

  test("keeps the recorded digests if it is rolled back", () => {
    expect(recordRollback(initial, claim, "5 % errors", after(2))).not.toHaveProperty("digests");
  });
});

describe("recordRollback", () => {
  const rollback = { inFlight: { phase: "rollback" }, image } as const;

  test("deletes the canary and counts", () => {
    const change = recordRollback(
      canaryWorkload({ updateRecord: { rollbackCount: 1 } }),
      canaryInFlight,
      "5 % errors",
      after(2),
    );
    expect(change).toMatchObject({
      ...rollback,
      canary: null,
      updateRecord: { rollbackCount: 2, circuitOpen: false, failedVersions: ["1.1.0"] },
    });
  });

  test("after a promotion deletes the canary that still serves, and no other", () => {
    const promoted = updatingWorkload({ canary: canaryPods });
    expect(recordRollback(promoted, inFlight, "not ready", after(2))).toMatchObject({ ...rollback, canary: null });
    expect(recordRollback(updatingWorkload(), inFlight, "not ready", after(2))).not.toHaveProperty("canary");
  });

  test("blames no version if its owner disabled auto-update", () => {
    const change = recordRollback(canaryWorkload({ policy: { optIn: "no" } }), canaryInFlight, "disabled", after(2));
    expect(change).toMatchObject({ ...rollback, canary: null });
    expect(change).not.toHaveProperty("updateRecord");
  });

  test("keeps an open circuit open on abort", () => {
    const initial = canaryWorkload({ verdict: "abort", updateRecord: { rollbackCount: 3, circuitOpen: true } });
    expect(recordRollback(initial, canaryInFlight, "aborted", after(2)).updateRecord).toMatchObject({
      rollbackCount: 3,
      circuitOpen: true,
    });
  });
});
