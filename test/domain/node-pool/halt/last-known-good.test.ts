import { describe, expect, test } from "vitest";
import type { Member } from "../../../../functions/domain/node-pool/node/bootc-node.ts";
import type { NodePool, NodePoolStatus } from "../../../../functions/domain/node-pool/pool/node-pool.ts";
import { parseDigest } from "../../../../functions/domain/node-pool/node/node-state.ts";
import { assessWork, planSteps } from "../../../../functions/domain/node-pool/step/plan-steps.ts";
import { stateForCounting } from "../../../../functions/domain/node-pool/pool/state-counts.ts";
import { computePoolStatus } from "../../../../functions/domain/node-pool/pool/status.ts";
import { computeTargetImage } from "../../../../functions/domain/node-pool/pool/target.ts";
import { after } from "../../../support/workloads.ts";
import {
  cordoned,
  digestA,
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
    { when: "there is none", status: none, before: null },
  ])("decides which image is the one before: $when", ({ status, before }) => {
    const node = member("w1", { desiredImage: imageC });
    expect(afterRound(imageC, status, [node]).rollbackImage).toBe(before);
  });
});

describe("an image that was good, and on which nodes fail later", () => {
  const status = { lastKnownGoodImage: imageB, rollbackImage: imageA };
  const dead = { ready: false, readyChangedAt: after(-16) };
  const three = { maxUnavailable: { unit: "nodes", amount: 3 } } as const;
  const afterFailures = (nodes: readonly Member[]) => {
    const of = pool({ onHalt: "Rollback", ...three }, { status: { ...status, targetRef: imageB } });
    return computePoolStatus(poolState(nodes, { pool: of }), null).lastKnownGoodImage;
  };
  const since = { requestedAt: after(-20), slot: { ...slot, bootedAt: after(-9) } };
  const holder = { ...updated, ...since, desiredImageState: "Booted" } as const;

  test.for<{ when: string; nodes: readonly Member[]; good: string }>([
    { when: "one is dead", nodes: [member("w1", updated, dead), member("w2", updated)], good: imageB },
    { when: "the only one is dead", nodes: [member("w1", updated, dead), member("w2", staged)], good: imageA },
    { when: "two are dead", nodes: [member("w1", updated, dead), member("w2", updated, dead)], good: imageA },
    {
      when: "one is dead, and one is unhealthy in its slot",
      nodes: [member("w1", updated, dead), member("w2", holder, { ...cordoned, ready: false }), member("w3", updated)],
      good: imageA,
    },
    {
      when: "two are dead, but run another image",
      nodes: [member("w1", staged, dead), member("w2", staged, dead), member("w3", updated)],
      good: imageB,
    },
    {
      when: "two that leave it for another image are not Ready",
      nodes: ["w1", "w2"].map((name) =>
        member(name, { ...holder, desiredImage: imageC }, { ...cordoned, ready: false }),
      ),
      good: imageB,
    },
  ])("is good only while it does not halt: $when", ({ nodes, good }) => {
    expect(afterFailures(nodes)).toBe(good);
  });

  const onC = { desiredImage: imageC, bootedDigest: digestC } as const;
  const broken = ["w1", "w2"].map((name) => member(name, { ...onC, ...failing, slot }));
  const halted = (nodes: readonly Member[], own: Partial<NodePoolStatus>) => {
    const target = { targetDigest: digestC, targetRef: imageC, haltedAt: after(-9) };
    const of = pool({ onHalt: "Rollback", imageRef: imageC, ...three }, { status: { ...own, ...target } });
    const state = poolState(nodes, { pool: of });
    const { failedDigests, conditions } = computePoolStatus(state, null);
    const degraded = conditions.find(({ type }) => type === "Degraded");
    return { failedDigests, work: assessWork(state).kind, message: degraded?.message };
  };
  const nodes = "Unhealthy nodes in reboot slots: w1 (Degraded), w2 (Degraded)";

  test("is no image to go back to: the rollout stays halted, and names the candidates", () => {
    const waiting = { ...staged, desiredImage: imageC, stagedDigest: digestC };
    const deadOnB = ["w3", "w4"].map((name) => member(name, { ...waiting, bootedDigest: digestB }, dead));
    const onA = member("w5", { ...waiting, bootedDigest: digestA });
    expect(halted([...broken, ...deadOnB, onA], { ...status, deployedDigest: digestA })).toEqual({
      failedDigests: [],
      work: "held",
      message: `${nodes}. Not rolled back: ${digestB} fails too on w3, w4; candidates: ${digestA}`,
    });
    const nothing = { lastKnownGoodImage: null, rollbackImage: null, deployedDigest: null };
    expect(halted(broken, nothing).message).toBe(
      `${nodes}. Not rolled back: no image before is known to be good; no other image is known`,
    );
    expect(halted([...broken, deadOnB[0] ?? onA, onA], status)).toMatchObject({
      failedDigests: [digestC],
      message: nodes,
    });
  });
});

test("errors of nodes that cannot stage the new image say nothing about the one that they run", () => {
  const target = { targetDigest: digestC, targetRef: imageC, haltedAt: after(-9), lastKnownGoodImage: imageB };
  const of = pool({ onHalt: "Rollback", imageRef: imageC }, { status: target });
  const onC = { desiredImage: imageC, bootedDigest: digestC, ...failing, slot };
  const onB = { desiredImage: imageC, bootedDigest: digestB, error: "stage failed" };
  const nodes = [member("w1", onC), member("w2", onC), member("w3", onB), member("w4", onB)];
  expect(computePoolStatus(poolState(nodes, { pool: of }), null).failedDigests).toEqual([digestC]);
});

test("a pool that went back names the nodes that any reboot takes to a failed image", () => {
  const of = poolOf(imageC, { failedDigests: [digestC], rollbackImage: imageA });
  const own = { desiredImage: imageA, bootedDigest: digestA };
  const risky = (name: string) => member(name, { ...own, stagedDigest: digestC });
  const message = (members: readonly Member[]) =>
    computePoolStatus(poolState(members, { pool: of }), null).conditions.find(({ type }) => type === "Degraded")
      ?.message;
  const rolledBack = `${digestC} halted the rollout, is rolled back, and is not tried again`;
  expect(message([risky("w1"), member("w2", { ...own, stagedDigest: digestA })])).toBe(
    `${rolledBack}. 1 node has a failed image staged, which any reboot boots: w1`,
  );
  expect(message([risky("w1"), risky("w2")])).toContain("2 nodes have a failed image staged");
  expect(message([member("w1", own)])).toBe(rolledBack);
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
});

test("a node is pending, if no image is resolved that it should run", () => {
  const unresolved = pool({ imageRef: "quay.io/example/myos:9" }, { status: { targetDigest: null, targetRef: null } });
  expect(stateForCounting(member("w1", updated), poolState([], { pool: unresolved }))).toBe("pending");
});
