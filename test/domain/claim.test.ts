import { describe, expect, test } from "vitest";
import { adopt, claimOf } from "../../functions/domain/claim.ts";
import { restarting, restartInFlight, second } from "../support/followed.ts";
import { after, claw, image, inFlight, settled, target, updating, workload } from "../support/workloads.ts";

const byHand = { ...inFlight, execution: null, previousImage: null };

test.for([
  { when: "the marks name this execution", seen: updating(), kind: "held" },
  { when: "a Claw's marks name this execution", seen: claw({ inFlight, image: target }), kind: "held" },
  { when: "the kind has no image of its own", seen: updating({ image: null }), kind: "held" },
  { when: "the workload is gone", seen: null, kind: "lost" },
  { when: "nothing is in flight", seen: workload(), kind: "lost" },
  { when: "another execution holds it", seen: updating({ inFlight: { ...inFlight, execution: "e-2" } }), kind: "lost" },
  { when: "a person set the marks", seen: updating({ inFlight: byHand }), kind: "lost" },
  { when: "the target was changed", seen: updating({ inFlight: { ...inFlight, targetImage: "app:9" } }), kind: "lost" },
  { when: "the image was changed", seen: updating({ image: "app:hotfix" }), kind: "lost" },
])("claimOf when $when: $kind", ({ seen, kind }) => {
  expect(claimOf(seen, "e-1", target).kind).toBe(kind);
});

describe("adopt", () => {
  test.for([
    { when: "the workload is gone", seen: null },
    { when: "nothing is in flight any more", seen: workload() },
    { when: "the target was changed", seen: updating({ inFlight: { ...inFlight, targetImage: "app:9" } }) },
    { when: "the image was changed under a claim", seen: updating({ image: "app:hotfix" }) },
  ])("is refused when $when", ({ seen }) => {
    expect(adopt(seen, "e-2", target).kind).toBe("lost");
  });

  test("takes the claim and keeps start and past", () => {
    expect(adopt(updating(), "e-2", target)).toEqual({
      kind: "adopted",
      phase: "rollout",
      change: { inFlight: { ...inFlight, execution: "e-2" } },
    });
  });

  test("repeated it writes nothing", () => {
    expect(adopt(updating(), "e-1", target)).toEqual({ kind: "adopted", phase: "rollout", change: null });
  });

  test("marks set by hand before the image: the image is set, and what ran is remembered", () => {
    const seen = updating({ inFlight: byHand, image, rollout: { ...settled, image } });
    expect(adopt(seen, "e-2", target)).toMatchObject({ change: { image: target, inFlight: { previousImage: image } } });
  });

  test.for([
    {
      when: "the recorded version is the best evidence",
      bookkeeping: { currentVersion: "1.0.0" },
      previousImage: image,
    },
    { when: "the record names the target itself", bookkeeping: { currentVersion: "1.1.0" }, previousImage: null },
    { when: "nothing is recorded", bookkeeping: {}, previousImage: null },
  ])("marks set by hand after the image: $when", ({ bookkeeping, previousImage }) => {
    const seen = updating({ inFlight: byHand, bookkeeping });
    expect(adopt(seen, "e-2", target)).toMatchObject({ change: { inFlight: { previousImage } } });
  });

  test("a Claw whose pods do not exist has no past", () => {
    const seen = claw({ inFlight: byHand, image: target });
    expect(adopt(seen, "e-2", target)).toMatchObject({ change: { inFlight: { previousImage: null } } });
  });
});

describe("a restart", () => {
  const held = { kind: "held" };
  const other = { containers: [{ name: "app", image: "app:other" }] };
  test.for([
    { when: "its restart stands", seen: restarting(), ...held },
    { when: "it was restarted once more since", seen: restarting({ restartedAt: after(5) }), ...held },
    { when: "digests are no longer followed at all", seen: { ...restarting(), digests: null }, ...held },
    {
      when: "its start cannot be read",
      seen: restarting({ inFlight: { ...restartInFlight, startedAt: "malformed" } }),
      ...held,
    },
    { when: "its restart was undone", seen: restarting({ restartedAt: after(-60) }), kind: "lost" },
    { when: "nothing is left of its restart", seen: restarting({ restartedAt: null }), kind: "lost" },
    { when: "its container runs another image", seen: restarting({ digests: other }), kind: "lost" },
    { when: "its container is no longer followed", seen: restarting({ digests: { containers: [] } }), kind: "lost" },
  ])("is held or lost: $when: $kind", ({ seen, kind }) => {
    const reason = kind === "held" ? {} : { reason: "the restart was taken back" };
    expect(claimOf(seen, "e-1", second)).toMatchObject({ kind, ...reason });
  });

  test("is adopted with all its marks, and nothing else is written", () => {
    const change = { inFlight: { ...restartInFlight, execution: "e-2" } };
    expect(adopt(restarting(), "e-2", second)).toEqual({ kind: "adopted", phase: "restart", change });
  });

  test("that was undone is not adopted", () => {
    expect(adopt(restarting({ restartedAt: null }), "e-2", second)).toMatchObject({ kind: "lost" });
  });

  test("whose marks a person set pins no image to the digest", () => {
    const seen = restarting({ restartedAt: null, inFlight: { ...restartInFlight, execution: null } });
    const adoption = adopt(seen, "e-2", second);
    expect(adoption).toMatchObject({ kind: "adopted", phase: "restart" });
    expect(adoption.kind === "adopted" && adoption.change).not.toHaveProperty("image");
  });

  test("that is being rolled back is held whatever became of it", () => {
    const seen = restarting({ restartedAt: null, inFlight: { ...restartInFlight, phase: "rollback" } });
    expect(claimOf(seen, "e-1", second).kind).toBe("held");
  });
});
