import { describe, expect, test } from "vitest";
import { recordCheck } from "../../../../functions/domain/workload/record/record-check.ts";
import { beginStep } from "../../../../functions/domain/workload/canary/progress.ts";
import { adopt } from "../../../../functions/domain/workload/update/adopt.ts";
import { checkClaim } from "../../../../functions/domain/workload/update/claim.ts";
import {
  canaryInFlight,
  canaryWorkload,
  canaryPods,
  completeRollout,
  image,
  inFlight,
  noon,
  ownRecord,
  policy,
  target,
  updateTarget,
} from "../../../support/workloads.ts";

const hotfix = "registry.example/shop/app:hotfix";
const later = { ...canaryInFlight, execution: "e-2" };
test.for([
  { when: "the stable replicas run the previous image", parts: {}, kind: "held" },
  { when: "the template names the target, as a StatefulSet's does", parts: { image: target }, kind: "held" },
  { when: "a person changed the image", parts: { image: hotfix }, kind: "lost" },
  {
    when: "the template has the previous image again, as after `kubectl rollout undo` of a StatefulSet",
    parts: { canary: { ...canaryPods, image } },
    kind: "lost",
  },
  {
    when: "no previous image is known",
    parts: { inFlight: { ...canaryInFlight, previousImage: null } },
    kind: "lost",
  },
  { when: "another execution holds it", parts: { inFlight: later }, kind: "lost" },
  { when: "it was promoted, and the image was changed back manually", parts: { inFlight }, kind: "lost" },
])("the claim on a canary when $when is $kind", ({ parts, kind }) => {
  expect(checkClaim(canaryWorkload(parts), "e-1", updateTarget).kind).toBe(kind);
});

describe("adopt of a canary", () => {
  const canary = { image: target, size: { unit: "replicas", amount: 1 } } as const;

  test("writes nothing if repeated", () => {
    expect(adopt(canaryWorkload({ inFlight: later }), "e-2", updateTarget, noon)).toMatchObject({
      kind: "canary",
      change: null,
    });
  });

  test.for([
    { when: "under a new execution", claim: canaryInFlight },
    { when: "by the execution that has adopted it already", claim: later },
  ])("creates it if its creation was interrupted, $when", ({ claim }) => {
    const initial = canaryWorkload({ canary: null, inFlight: claim });
    expect(adopt(initial, "e-2", updateTarget, noon)).toMatchObject({ change: { inFlight: later, canary } });
  });

  test("begins again with the one that it creates if its owner has changed the pod template since", () => {
    const two = {
      kind: "replicas",
      size: { unit: "replicas", amount: 2 },
      analysis: null,
      durationSeconds: null,
    } as const;
    const own = { ...policy, canary: canary.size, canarySteps: [{ ...two, size: canary.size }, two] } as const;
    const rollout = { ...completeRollout, isTemplateEdited: true } as const;
    const second = canaryWorkload({ canary: null, policy: own, rollout, canaryProgress: beginStep(own, 2, noon) });
    expect(adopt(second, "e-2", updateTarget, noon)).toMatchObject({
      change: { canary, canaryProgress: { step: 1, size: "1", waitsFor: "Replicas" }, analysis: null },
    });
    const { change } = adopt({ ...second, rollout: completeRollout }, "e-2", updateTarget, noon);
    expect(change).toEqual({ inFlight: later, canary: { ...canary, size: two.size } });
  });

  test("creates another one if a person edited the target", () => {
    const initial = canaryWorkload({ canary: { ...canaryPods, image: hotfix } });
    expect(adopt(initial, "e-2", updateTarget, noon)).toMatchObject({ change: { inFlight: later, canary } });
  });

  test("keeps a canary whose image is not visible", () => {
    const initial = canaryWorkload({ canary: { ...canaryPods, image: null } });
    expect(adopt(initial, "e-2", updateTarget, noon)).toMatchObject({ change: { inFlight: later } });
    expect(adopt(initial, "e-2", updateTarget, noon)).not.toHaveProperty("change.canary");
  });

  test("creates none if a person changed the template of a StatefulSet and the canary has to be removed", () => {
    const initial = canaryWorkload({ image: hotfix, canary: { ...canaryPods, image: hotfix } });
    expect(adopt(initial, "e-2", updateTarget, noon, true)).toEqual({
      kind: "abort",
      reason: "the execution of the canary was stopped",
      // The person may change the image back.
      change: { inFlight: later },
      freesPods: false,
    });
  });

  test("creates none if its owner no longer wants one", () => {
    const initial = canaryWorkload({ canary: null, policy: { canary: null } });
    const { change } = adopt(initial, "e-2", updateTarget, noon);
    expect(change).toEqual({ inFlight: later });
  });

  test("is lost if a person changed the image", () => {
    expect(adopt(canaryWorkload({ image: hotfix }), "e-2", updateTarget, noon).kind).toBe("superseded");
  });
});

describe("recordCheck reports the end of the claim of a canary after a manual change", () => {
  const hold = {
    kind: "hold",
    reason: "manual-change",
    detail: "changed manually",
    target: null,
  } as const;

  test.for([
    { recordedIn: "an AutoUpdate", parts: {} },
    { recordedIn: "the workload itself", parts: { record: ownRecord } },
  ])("and leaves both to an execution, recorded in $recordedIn: a recorder writes no workload", ({ parts }) => {
    const { change, events } = recordCheck(canaryWorkload({ image: hotfix, ...parts }), hold, noon);
    expect(change).toEqual({ lastReported: { held: hold.detail } });
    expect(events).toMatchObject([{ reason: "AutoUpdateHeld", version: "1.1.0" }]);
  });

  test("and reports it once while the execution has not removed it", () => {
    const lastReported = { held: hold.detail, problem: null };
    expect(recordCheck(canaryWorkload({ image: hotfix, lastReported }), hold, noon)).toEqual({
      change: null,
      events: [],
    });
  });
});
