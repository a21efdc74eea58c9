import { describe, expect, test } from "vitest";
import { rollbackOf } from "../../../support/rollback.ts";
import { adopt } from "../../../../functions/domain/workload/update/adopt.ts";
import { checkClaim, withDigestOf } from "../../../../functions/domain/workload/update/claim.ts";
import { restartingWorkload, restartInFlight, restartTarget } from "../../../support/digest-workloads.ts";
import {
  after,
  claw,
  image,
  inFlight,
  completeRollout,
  noon,
  rollingBack,
  target,
  updatingWorkload,
  workload,
  imageTarget,
  updateTarget,
} from "../../../support/workloads.ts";

const startedManually = { ...inFlight, execution: null, previousImage: null };

test.for([
  { when: "the claim names this execution", initial: updatingWorkload(), kind: "held" },
  { when: "a Claw's claim names this execution", initial: claw({ inFlight, image: target }), kind: "held" },
  { when: "the kind has no image field", initial: updatingWorkload({ image: null }), kind: "held" },
  { when: "the workload is not found", initial: null, kind: "lost" },
  { when: "no update is in flight", initial: workload(), kind: "lost" },
  {
    when: "another execution holds it",
    initial: updatingWorkload({ inFlight: { ...inFlight, execution: "e-2" } }),
    kind: "lost",
  },
  { when: "a person set the annotations", initial: updatingWorkload({ inFlight: startedManually }), kind: "lost" },
  {
    when: "the target was changed",
    initial: updatingWorkload({ inFlight: { ...inFlight, target: imageTarget("app:9") } }),
    kind: "lost",
  },
  { when: "the image was changed", initial: updatingWorkload({ image: "app:hotfix" }), kind: "lost" },
])("checkClaim when $when: $kind", ({ initial, kind }) => {
  expect(checkClaim(initial, "e-1", updateTarget).kind).toBe(kind);
});

describe("adopt", () => {
  test.for([
    { when: "the workload is not found", initial: null },
    { when: "no update is in flight any more", initial: workload() },
    {
      when: "the target was changed",
      initial: updatingWorkload({ inFlight: { ...inFlight, target: imageTarget("app:9") } }),
    },
    { when: "the image was changed during a claimed update", initial: updatingWorkload({ image: "app:hotfix" }) },
  ])("loses when $when", ({ initial }) => {
    expect(adopt(initial, "e-2", updateTarget, noon)).toMatchObject({
      kind: "superseded",
      change: null,
      freesPods: false,
    });
  });

  test("takes the claim and keeps the start time and the previous image", () => {
    expect(adopt(updatingWorkload(), "e-2", updateTarget, noon)).toEqual({
      kind: "adopted",
      reason: `adopted the update to ${target}`,
      change: { inFlight: { ...inFlight, execution: "e-2" } },
      freesPods: true,
    });
  });

  test("of an interrupted rollback deletes no pods: the check of the rollback does", () => {
    const initial = updatingWorkload({ inFlight: rollingBack });
    expect(adopt(initial, "e-2", updateTarget, noon)).toMatchObject({ kind: "adopted", freesPods: false });
  });

  test("writes nothing if repeated", () => {
    expect(adopt(updatingWorkload(), "e-1", updateTarget, noon)).toMatchObject({
      kind: "adopted",
      change: null,
    });
  });

  test("sets the image and records the running one if a person set the annotations first", () => {
    const initial = updatingWorkload({ inFlight: startedManually, image, rollout: { ...completeRollout, image } });
    expect(adopt(initial, "e-2", updateTarget, noon)).toMatchObject({
      change: { image: target, inFlight: { previousImage: image } },
    });
  });

  test.for([
    {
      when: "a version is recorded",
      updateRecord: { currentVersion: "1.0.0" },
      previousImage: image,
    },
    { when: "the recorded version is the target", updateRecord: { currentVersion: "1.1.0" }, previousImage: null },
    { when: "no version is recorded", updateRecord: {}, previousImage: null },
  ])(
    "infers the previous image if a person set the image and the annotations: $when",
    ({ updateRecord, previousImage }) => {
      const initial = updatingWorkload({ inFlight: startedManually, updateRecord });
      expect(adopt(initial, "e-2", updateTarget, noon)).toMatchObject({ change: { inFlight: { previousImage } } });
    },
  );

  test("infers no previous image for a Claw without pods", () => {
    const initial = claw({ inFlight: startedManually, image: target });
    expect(adopt(initial, "e-2", updateTarget, noon)).toMatchObject({ change: { inFlight: { previousImage: null } } });
  });
});

describe("a restart", () => {
  const held = { kind: "held" };
  const other = { containers: [{ name: "app", image: "app:other" }] };
  test.for([
    { when: "its restart is in place", initial: restartingWorkload(), ...held },
    { when: "it was restarted again since", initial: restartingWorkload({ restartedAt: after(5) }), ...held },
    {
      when: "it was restarted again by a clock that is seconds behind",
      initial: restartingWorkload({ restartedAt: after(-10 / 60) }),
      ...held,
    },
    {
      when: "its restart was undone to one before it",
      initial: restartingWorkload({ restartedAt: after(-11 / 60) }),
      kind: "lost",
    },
    { when: "digests are no longer tracked", initial: { ...restartingWorkload(), digests: null }, ...held },
    {
      when: "its start time is malformed",
      initial: restartingWorkload({ inFlight: { ...restartInFlight, startedAt: "malformed" } }),
      ...held,
    },
    { when: "its restart was undone", initial: restartingWorkload({ restartedAt: after(-60) }), kind: "lost" },
    { when: "its restart annotation was removed", initial: restartingWorkload({ restartedAt: null }), kind: "lost" },
    { when: "its container runs another image", initial: restartingWorkload({ digests: other }), kind: "lost" },
    {
      when: "its container is no longer tracked",
      initial: restartingWorkload({ digests: { containers: [] } }),
      kind: "lost",
    },
  ])("is $kind when $when", ({ initial, kind }) => {
    const reason = kind === "held" ? {} : { reason: "the restart was reverted" };
    expect(checkClaim(initial, "e-1", restartTarget)).toMatchObject({ kind, ...reason });
  });

  test("is adopted with its whole claim, and nothing else is written", () => {
    const change = { inFlight: { ...restartInFlight, execution: "e-2" } };
    expect(adopt(restartingWorkload(), "e-2", restartTarget, noon)).toEqual({
      kind: "adopted",
      reason: expect.stringMatching(/^adopted the restart /),
      change,
      freesPods: true,
    });
  });

  test("is not adopted if it was undone", () => {
    expect(adopt(restartingWorkload({ restartedAt: null }), "e-2", restartTarget, noon)).toMatchObject({
      kind: "superseded",
    });
  });

  test("is not pinned to the digest if a person set the annotations", () => {
    const initial = restartingWorkload({ restartedAt: null, inFlight: { ...restartInFlight, execution: null } });
    const adoption = adopt(initial, "e-2", restartTarget, noon);
    expect(adoption).toMatchObject({ kind: "adopted", change: { inFlight: { execution: "e-2" } } });
    expect(adoption).not.toHaveProperty("change.image");
  });

  test("is held during its rollback, even if it was undone", () => {
    const initial = restartingWorkload({ restartedAt: null, inFlight: rollbackOf(restartInFlight) });
    expect(checkClaim(initial, "e-1", restartTarget).kind).toBe("held");
  });
});

test.for([
  { when: "none is given", given: {}, digest: undefined, pinned: undefined },
  { when: "it is written alone", given: { digest: "sha256:a" }, digest: "sha256:a", pinned: undefined },
  { when: "it is written too", given: { digest: "sha256:a", pinned: true as const }, digest: "sha256:a", pinned: true },
])("the digest of an execution counts, if $when", ({ given, digest, pinned }) => {
  const claimed = withDigestOf(inFlight, { ...updateTarget, ...given });
  expect(claimed.target).toMatchObject({ ...updateTarget, ...(digest && { digest }), ...(pinned && { pinned }) });
  expect(withDigestOf(restartInFlight, { ...updateTarget, ...given })).toBe(restartInFlight);
});
