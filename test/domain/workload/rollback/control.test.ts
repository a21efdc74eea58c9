import { describe, expect, test } from "vitest";
import type { Evidence } from "../../../../functions/domain/health/evidence.ts";
import {
  assessControl,
  concludeControl,
  isControlNeeded,
  priorFailure,
} from "../../../../functions/domain/workload/rollback/control.ts";
import { recordRollback } from "../../../../functions/domain/workload/rollback/rollback.ts";
import type { Suspect } from "../../../../functions/domain/workload/update/in-flight.ts";
import type { Readiness } from "../../../../functions/domain/workload/update/readiness.ts";
import { rollbackOf } from "../../../support/rollback.ts";
import {
  after,
  canaryInFlight,
  completeRollout,
  image,
  inFlight,
  noon,
  target,
  updatingWorkload,
  workload,
} from "../../../support/workloads.ts";

const ready: Readiness = { kind: "ready" };
const progressing: Readiness = { kind: "progressing", waitSeconds: 15, reason: "2 of 3 replicas ready" };
const expired: Readiness = { kind: "expired", reason: "1.0.0 was not ready 600 s later: 2 of 3 replicas ready" };
const suspect: Suspect = { reason: "not ready after 600 s", execution: "e-1" };
const restored = workload({ image, rollout: { ...completeRollout, image } });
const crash: Evidence = {
  pod: "web-2",
  cause: { blames: "version", reason: "Exit", container: "web", exitCode: 1, message: "no database", restarts: 2 },
};
const claim = rollbackOf(inFlight, { suspect });
const ownClaim = { record: { ...workload().record, resourceVersion: null, state: "observed" } } as const;
const claw = { ...ownClaim, failsWithoutPods: true };

describe("isControlNeeded", () => {
  test.for([
    { when: "a rollout", update: inFlight, of: workload(), needed: true },
    { when: "a canary: its stable pods are the control", update: canaryInFlight, of: workload(), needed: false },
    { when: "a Claw", update: inFlight, of: workload(claw), needed: false },
    { when: "a StatefulCanary", update: inFlight, of: workload(ownClaim), needed: true },
    { when: "its canary", update: canaryInFlight, of: workload(ownClaim), needed: false },
  ])("$when: $needed", ({ update, of, needed }) => {
    expect(isControlNeeded(of, update)).toBe(needed);
  });
});

describe("priorFailure", () => {
  test.for([
    {
      when: "no previous image is known",
      update: { ...inFlight, previousImage: null },
      reason: "no previous image is known to compare it with",
    },
    {
      when: "no pod was available",
      update: { ...inFlight, unavailableBefore: 3 },
      reason: "1.0.0 was not available before the update either",
    },
    { when: "some pods were available", update: { ...inFlight, unavailableBefore: 2 }, reason: null },
    { when: "all pods were available", update: inFlight, reason: null },
  ])("$when: $reason", ({ update, reason }) => {
    expect(priorFailure({ rollout: completeRollout }, update)).toEqual(reason);
  });

  test("is not known if the object that manages the pods does not exist", () => {
    expect(priorFailure({ rollout: null }, { ...inFlight, unavailableBefore: 3 })).toBeNull();
  });

  test.for([
    { update: { ...inFlight, unavailableBefore: 3 } },
    { update: { ...canaryInFlight, unavailableBefore: 3 } },
  ])("withdraws the update of phase $update.phase at once, and counts it", ({ update }) => {
    const change = recordRollback(
      updatingWorkload({ inFlight: update, rollout: completeRollout }),
      update,
      "not ready",
      noon,
    );
    expect(change).toMatchObject({
      image,
      updateRecord: { rollbackCount: 1, versionHistory: [{ status: "Withdrawn" }] },
      backOff: { reason: "Withdrawn" },
    });
    expect(change.updateRecord).not.toHaveProperty("failedVersions");
    expect(change.inFlight).not.toHaveProperty("suspect");
  });
});

test("a claim without an execution is suspected too", () => {
  const update = { ...inFlight, execution: null };
  const change = recordRollback(updatingWorkload({ inFlight: update }), update, "not ready", noon);
  expect(change.inFlight?.suspect).toEqual({ reason: "not ready", execution: "" });
});

describe("assessControl", () => {
  const assess = (
    readiness: Readiness,
    parts: Pick<Partial<typeof claim>, "previousImage" | "suspect"> = {},
    of = restored,
    failing: readonly Evidence[] = [],
  ) => {
    const update = { ...claim, ...parts };
    return assessControl(of, update, update.suspect ?? suspect, readiness, failing, after(5));
  };

  test("waits until the restored version is ready", () => {
    expect(assess(progressing)).toMatchObject({ kind: "pending", waitSeconds: 15, suspect });
    const waiting = { ...progressing, kind: "waiting" } as const;
    expect(assess(waiting, { suspect: { ...suspect, readySince: after(4) } })).toMatchObject({
      kind: "pending",
      suspect,
    });
  });

  test.for([
    { minReadySeconds: undefined, readySince: undefined, kind: "pending" },
    { minReadySeconds: undefined, readySince: after(4.5), kind: "pending" },
    { minReadySeconds: undefined, readySince: after(4), kind: "blamed" },
    { minReadySeconds: 120, readySince: after(4), kind: "pending" },
    { minReadySeconds: 120, readySince: after(3), kind: "blamed" },
  ])("minReadySeconds $minReadySeconds, ready since $readySince: $kind", ({ minReadySeconds, readySince, kind }) => {
    const rollout = { ...completeRollout, image, ...(minReadySeconds === undefined ? {} : { minReadySeconds }) };
    const noted = readySince === undefined ? suspect : { ...suspect, readySince };
    expect(assess(ready, { suspect: noted }, { ...restored, rollout }).kind).toBe(kind);
  });

  test.for([
    {
      when: "its deadline passed",
      result: () => assess(expired),
      reason: /1\.0\.0 is not healthy either: 1\.0\.0 was not ready/,
    },
    {
      when: "its pods have crashed, although they are ready now",
      result: () => assess(ready, {}, restored, [crash]),
      reason: /1\.0\.0 is not healthy either: 1 pod failing: web-2/,
    },
    {
      when: "a person set an image",
      result: () => assess(ready, {}, { ...restored, image: target }),
      reason: /was changed/,
    },
    {
      when: "no image is visible",
      result: () => assess(ready, {}, { ...restored, image: null }),
      reason: /was changed/,
    },
    { when: "nothing was restored", result: () => assess(ready, { previousImage: null }), reason: /was changed/ },
    {
      when: "its pods have no manager",
      result: () => assess(ready, {}, { ...restored, rollout: null }),
      reason: /scaled to 0/,
    },
    {
      when: "it was scaled to 0",
      result: () => assess(ready, {}, { ...restored, rollout: { ...completeRollout, desiredReplicas: 0 } }),
      reason: /scaled to 0/,
    },
  ])("blames nothing if $when", ({ result, reason }) => {
    const control = result();
    expect(control.kind).toBe("unproven");
    expect(control.reason).toMatch(reason);
  });
});

describe("concludeControl", () => {
  test("blames and counts a target that the control proves to be the cause", () => {
    const change = concludeControl(
      updatingWorkload({ inFlight: claim }),
      claim,
      suspect,
      { kind: "blamed", reason: "why" },
      after(9),
    );
    expect(change).toMatchObject({
      inFlight: null,
      updateRecord: {
        rollbackCount: 1,
        failedVersions: ["1.1.0"],
        versionHistory: [{ status: "RolledBack", reason: "why" }],
      },
    });
  });

  test.for([
    { count: 0, opens: false },
    { count: 2, opens: true },
  ])("after $count attempts, one without proof opens the circuit: $opens", ({ count, opens }) => {
    const before = updatingWorkload({
      inFlight: claim,
      updateRecord: { rollbackCount: count, failedVersions: ["1.0.5"] },
    });
    const change = concludeControl(before, claim, suspect, { kind: "unproven", reason: "why" }, after(9));
    expect(change).toMatchObject({
      inFlight: null,
      updateRecord: { rollbackCount: count + 1, circuitOpen: opens, versionHistory: [{ status: "Withdrawn" }] },
      backOff: { reason: "Withdrawn" },
    });
    expect(change.updateRecord).not.toHaveProperty("failedVersions");
  });

  test.for(["blamed", "unproven"] as const)("counts %s once, also if it is repeated", (kind) => {
    const first = concludeControl(
      updatingWorkload({ inFlight: claim }),
      claim,
      suspect,
      { kind, reason: "why" },
      after(9),
    );
    const again = updatingWorkload({ inFlight: claim, updateRecord: first.updateRecord ?? {} });
    expect(concludeControl(again, claim, suspect, { kind, reason: "why" }, after(9)).updateRecord).toMatchObject({
      rollbackCount: 1,
    });
  });
});
