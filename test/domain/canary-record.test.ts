import { describe, expect, test } from "vitest";
import { giveUp, recordSuccess } from "../../functions/domain/bookkeeping.ts";
import { recordCanary, recordPromotion } from "../../functions/domain/canary-record.ts";
import { digest, followedBoth } from "../support/followed.ts";
import type { InFlight } from "../../functions/domain/workload.ts";
import {
  after,
  canaryInFlight,
  canarying,
  image,
  inFlight,
  noon,
  settled,
  target,
  updating,
  workload,
} from "../support/workloads.ts";

const size = { unit: "percent", amount: 25 } as const;

describe("recordCanary", () => {
  test("claims the workload, runs the target on the canary alone and forgets what was measured before", () => {
    const change = recordCanary(workload({ verdict: "abort" }), { image: target }, "e-1", size, noon);
    expect(change).toMatchObject({
      canary: { image: target, size },
      inFlight: canaryInFlight,
      analysis: null,
      verdict: null,
      bookkeeping: { currentVersion: "1.0.0", availableVersion: "1.1.0", lastUpdate: noon },
      announced: { held: null, problem: null },
    });
    expect(change).not.toHaveProperty("image");
  });

  test("repeated by the execution that holds the claim it keeps the start, the measurements and the verdict", () => {
    const change = recordCanary(canarying(), { image: target }, "e-1", size, after(5));
    expect(change).toMatchObject({ canary: { image: target, size }, inFlight: canaryInFlight });
    expect(change).not.toHaveProperty("analysis");
    expect(change).not.toHaveProperty("verdict");
  });

  test("repeated on a StatefulSet, whose template names the target by now, it does not take that for the current version", () => {
    const { bookkeeping } = recordCanary(
      canarying({ image: target, source: target }),
      { image: target },
      "e-1",
      size,
      after(5),
    );
    expect(bookkeeping).toMatchObject({ currentVersion: "1.0.0" });
  });
});

test("recordPromotion sets the image on all replicas, and the time to become ready starts again", () => {
  expect(recordPromotion(canarying(), canaryInFlight, after(30))).toEqual({
    image: target,
    canary: null,
    verdict: null,
    inFlight: { ...inFlight, startedAt: after(30) },
  });
});

test("recordPromotion repeated keeps when it began", () => {
  expect(recordPromotion(workload(), inFlight, after(30))).toMatchObject({ image: target, canary: null, inFlight });
});

test("what was promoted is recorded as it is without a canary", () => {
  const promoted = { ...inFlight, startedAt: after(30) };
  const { bookkeeping } = recordSuccess(updating({ inFlight: promoted }), promoted, after(31));
  expect(bookkeeping?.versionHistory).toEqual([{ version: "1.1.0", appliedAt: after(30), status: "Healthy" }]);
});

describe("a canary of what is followed by digest too", () => {
  const digests = { app: digest(2) };
  const marks = { ...canaryInFlight, digests };
  const seen = followedBoth({ inFlight: marks, canary: settled });

  test("keeps what stands behind its tag in its marks; what the rest runs stays recorded", () => {
    const change = recordCanary(followedBoth(), { image: target, digests }, "e-1", size, noon);
    expect(change.inFlight).toMatchObject({ digests, phase: "canary" });
    expect(change).not.toHaveProperty("digests");
  });

  test("is recorded with its digests when it is promoted, by whichever execution", () => {
    const change = recordPromotion(seen, marks, after(30));
    expect(change).toMatchObject({ image: target, digests: { last: digests, former: [{ app: digest(1) }] } });
  });

  test("is recorded once, however often that is repeated", () => {
    const promoted: InFlight = { ...marks, phase: "rollout" };
    const former = [{ app: digest(1) }];
    const repeated = recordPromotion(
      followedBoth({ digests: { last: digests, former }, inFlight: promoted }),
      promoted,
      after(31),
    );
    expect(repeated.digests).toEqual({ last: digests, returning: null });
  });

  test("leaves what is recorded where it is given up", () => {
    expect(giveUp(seen, marks, "5 % errors", after(2))).not.toHaveProperty("digests");
  });
});

describe("giving up", () => {
  const rollback = { inFlight: { phase: "rollback" }, image } as const;

  test("a canary takes it away and counts", () => {
    const change = giveUp(canarying({ bookkeeping: { rollbackCount: 1 } }), canaryInFlight, "5 % errors", after(2));
    expect(change).toMatchObject({
      ...rollback,
      canary: null,
      bookkeeping: { rollbackCount: 2, circuitOpen: false, failedVersions: ["1.1.0"] },
    });
  });

  test("what was promoted has no canary to take away", () => {
    expect(giveUp(updating(), inFlight, "not ready", after(2))).not.toHaveProperty("canary");
  });

  test("a canary that its owner switched off blames nobody", () => {
    const change = giveUp(canarying({ policy: { enabled: false } }), canaryInFlight, "switched off", after(2));
    expect(change).toMatchObject({ ...rollback, canary: null });
    expect(change).not.toHaveProperty("bookkeeping");
  });

  test.for<{ when: string; verdict: "abort" | null; isAborted: boolean; phase: InFlight["phase"] }>([
    { when: "a person said so", verdict: "abort", isAborted: false, phase: "canary" },
    { when: "a person stopped its execution", verdict: null, isAborted: true, phase: "canary" },
    { when: "it had been promoted meanwhile", verdict: null, isAborted: true, phase: "rollout" },
  ])("what was aborted is blamed and not counted, also at the last allowed: $when", ({ verdict, isAborted, phase }) => {
    const seen = canarying({ verdict, policy: { maxRollbacks: 3 }, bookkeeping: { rollbackCount: 2 } });
    const change = giveUp(seen, { ...canaryInFlight, phase }, "aborted", after(2), isAborted);
    expect(change).toMatchObject({
      ...rollback,
      bookkeeping: {
        rollbackCount: 2,
        circuitOpen: false,
        failedVersions: ["1.1.0"],
        versionHistory: [{ version: "1.1.0", appliedAt: noon, status: "RolledBack" }],
      },
    });
  });

  test("an abort leaves a circuit open that was", () => {
    const seen = canarying({ verdict: "abort", bookkeeping: { rollbackCount: 3, circuitOpen: true } });
    expect(giveUp(seen, canaryInFlight, "aborted", after(2)).bookkeeping).toMatchObject({
      rollbackCount: 3,
      circuitOpen: true,
    });
  });
});
