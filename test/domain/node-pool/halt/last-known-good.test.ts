import { describe, expect, test } from "vitest";
import type { Member } from "../../../../functions/domain/node-pool/node/bootc-node.ts";
import type { NodePool, NodePoolStatus } from "../../../../functions/domain/node-pool/pool/node-pool.ts";
import { parseDigest } from "../../../../functions/domain/node-pool/node/node-state.ts";
import { assessWork, planSteps } from "../../../../functions/domain/node-pool/step/plan-steps.ts";
import { stateForCounting } from "../../../../functions/domain/node-pool/pool/state-counts.ts";
import { computePoolStatus } from "../../../../functions/domain/node-pool/pool/status.ts";
import { computeTargetImage } from "../../../../functions/domain/node-pool/pool/target.ts";
import {
  cordoned,
  digestB,
  digestC,
  failing,
  imageA,
  imageB,
  imageC,
  member,
  pool,
  poolState,
  slot,
  staged,
  updated,
} from "../pools.ts";

function poolOf(image: string, status: Partial<NodePoolStatus>): NodePool {
  const target = { targetDigest: parseDigest(image), targetRef: image };
  return pool({ onHalt: "Rollback", imageRef: image }, { status: { ...status, ...target } });
}

/** Returns the status after a round in which `image` is the target. */
function afterRound(image: string, status: Partial<NodePoolStatus>, nodes: readonly Member[]): NodePoolStatus {
  return computePoolStatus(poolState(nodes, { pool: poolOf(image, status) }), null);
}

describe("the last known good image", () => {
  const none = { lastKnownGoodImage: null, rollbackImage: null };

  test.for<{ when: string; nodes: readonly Member[]; good: string | null }>([
    { when: "a node without a slot runs it", nodes: [member("w1", updated), member("w2", staged)], good: imageB },
    { when: "its node still holds a slot", nodes: [member("w1", { ...updated, slot })], good: null },
    { when: "its node is not Ready", nodes: [member("w1", updated, { ready: false })], good: null },
    { when: "its node reports an error", nodes: [member("w1", { ...updated, ...failing })], good: null },
    { when: "the pool has no nodes", nodes: [], good: null },
  ])("is the target or unknown, if $when", ({ nodes, good }) => {
    expect(afterRound(imageB, none, nodes)).toMatchObject({ lastKnownGoodImage: good, rollbackImage: null });
  });

  test.for<{ when: string; status: Partial<NodePoolStatus>; before: string | null }>([
    { when: "it is another image", status: { lastKnownGoodImage: imageB, rollbackImage: imageA }, before: imageB },
    { when: "it is the target", status: { lastKnownGoodImage: imageC, rollbackImage: imageB }, before: imageB },
    {
      when: "it failed",
      status: { lastKnownGoodImage: imageB, rollbackImage: imageA, failedDigests: [digestB] },
      before: imageA,
    },
    { when: "there is none", status: none, before: null },
  ])("decides which image is the one before: $when", ({ status, before }) => {
    const node = member("w1", { desiredImage: imageC });
    expect(afterRound(imageC, status, [node]).rollbackImage).toBe(before);
  });
});

describe("a rollback while a node has failed every rollout", () => {
  const imageD = `quay.io/example/myos@sha256:${"d".repeat(64)}`;
  const digestD = parseDigest(imageD);
  const runs = (name: string, image: string) =>
    member(name, { desiredImage: image, bootedDigest: parseDigest(image), error: null });
  const full = (image: string) => member("w9", { desiredImage: image, error: "no space left on device" });
  const completed = [imageB, imageC].reduce<Partial<NodePoolStatus>>(
    (before, image) => afterRound(image, before, [runs("w1", image), runs("w2", image), full(image)]),
    { lastKnownGoodImage: null, rollbackImage: null },
  );
  const onD = afterRound(imageD, completed, [runs("w1", imageC), runs("w2", imageC), full(imageC)]);
  const failedOnD = poolOf(imageD, { ...onD, failedDigests: [digestD ?? ""] });
  const holder = { ...runs("w1", imageD).bootcNode, desiredImageState: "Booted", error: "broken", slot } as const;
  const steps = (nodes: readonly Member[]) =>
    planSteps(poolState(nodes, { pool: failedOnD })).flatMap(({ name, step }) =>
      step.kind === "request-image" ? [[name, step.desired.image]] : [],
    );

  test("returns the nodes of the failed image to the one before, and the others to their own", () => {
    expect(computeTargetImage(failedOnD)).toBe(imageC);
    const waiting = { ...staged, desiredImage: imageD, stagedDigest: digestD };
    const nodes = [
      member("w1", holder, cordoned),
      member("w2", { ...waiting, bootedDigest: digestC }),
      member("w3", { ...waiting, bootedDigest: digestB }),
      member("w4", { ...waiting, bootedDigest: null }),
      full(imageD),
    ];
    expect(steps(nodes)).toEqual([
      ["w1", imageC],
      ["w2", imageC],
      ["w3", imageB],
      ["w4", imageC],
      ["w9", imageA],
    ]);
  });

  test("leaves the others there, counts them as returned, and updates nodes that joined since", () => {
    const joined = member("w4", { desiredImage: imageC });
    const nodes = [runs("w1", imageC), runs("w3", imageB), runs("w9", imageA)];
    expect(steps([...nodes, joined])).toEqual([]);
    const status = computePoolStatus(poolState(nodes, { pool: failedOnD }), null);
    expect(status).toMatchObject({ updatedCount: 3, deployedDigest: completed.deployedDigest });
    expect(status).toMatchObject({ lastKnownGoodImage: imageC, rollbackImage: imageC });
    expect(assessWork(poolState(nodes, { pool: failedOnD }))).toEqual({ kind: "completed" });
  });

  test("moves a node that has booted the failed image meanwhile", () => {
    const late = member("w3", { desiredImage: imageB, bootedDigest: digestD });
    expect(steps([late])).toEqual([["w3", imageC]]);
  });
});

test("a node is pending, if no image is resolved that it should run", () => {
  const unresolved = pool({ imageRef: "quay.io/example/myos:9" }, { status: { targetDigest: null, targetRef: null } });
  expect(stateForCounting(member("w1", updated), poolState([], { pool: unresolved }))).toBe("pending");
});
