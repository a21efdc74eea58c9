import { describe, expect, test } from "vitest";
import { poolEvents } from "../../../../functions/domain/node-pool/event/pool-events.ts";
import { computePoolStatus } from "../../../../functions/domain/node-pool/pool/status.ts";
import type { NodePoolStatus, PoolCondition } from "../../../../functions/domain/node-pool/pool/node-pool.ts";
import { digestA, digestB, imageB, member, pool, poolState, updated } from "../pools.ts";

type Status = Partial<NodePoolStatus>;

const message = "1/3 updated; 2 pending, 0 staging, 0 staged, 0 rebooting, 0 degraded";
const rolling: PoolCondition = { type: "UpToDate", status: "False", reason: "RolloutInProgress", message };
const paused: PoolCondition = { ...rolling, reason: "Paused" };
const allUpdated: PoolCondition = { type: "UpToDate", status: "True", reason: "AllUpdated", message: "" };

const settledOnA: Status = { targetDigest: digestA, nodeCount: 3, updatedCount: 3, conditions: [allUpdated] };
const rollingB: Status = { nodeCount: 3, updatedCount: 1, updatingCount: 2, conditions: [rolling] };
const pausedB: Status = { ...rollingB, conditions: [paused] };
const settledOnB: Status = { deployedDigest: digestB, nodeCount: 3, updatedCount: 3, conditions: [allUpdated] };
const noStatus: Status = { targetDigest: null, targetRef: null, deployedDigest: null, conditions: [] };

function eventsOf(before: Status, after: Status, rest: Parameters<typeof pool>[1] = {}) {
  return poolEvents(pool({}, { ...rest, status: before }), pool({}, { status: after }).status, "e-1");
}
const reasons = (before: Status, after: Status) => eventsOf(before, after).map(({ reason }) => reason);

describe("Events of a rollout", () => {
  test.for<{ when: string; before: Status; after: Status; events: string[] }>([
    {
      when: "a paused pool resumes before any update",
      before: { ...pausedB, updatedCount: 0 },
      after: rollingB,
      events: ["RolloutStarted"],
    },
    { when: "a paused pool resumes during the rollout", before: pausedB, after: rollingB, events: [] },
    { when: "one more node is updated", before: rollingB, after: { ...rollingB, updatedCount: 2 }, events: [] },
    { when: "the last node is updated", before: rollingB, after: settledOnB, events: ["RolloutCompleted"] },
    { when: "a node joins", before: settledOnB, after: { ...settledOnB, ...rollingB }, events: [] },
    {
      when: "the joined node is updated",
      before: { ...settledOnB, ...rollingB },
      after: settledOnB,
      events: ["RolloutCompleted"],
    },
    {
      when: "an error on the target is resolved",
      before: { ...settledOnB, degradedCount: 1, conditions: [rolling] },
      after: settledOnB,
      events: [],
    },
    {
      when: "the last node has left",
      before: rollingB,
      after: { ...settledOnB, nodeCount: 0, updatedCount: 0 },
      events: [],
    },
    {
      when: "the first image is resolved",
      before: noStatus,
      after: { ...noStatus, targetDigest: digestB },
      events: [],
    },
    { when: "all run it at the first evaluation", before: noStatus, after: settledOnB, events: [] },
    {
      when: "a pool with another image is evaluated for the first time",
      before: { ...noStatus, deployedDigest: digestA },
      after: rollingB,
      events: ["ImageUpdateAvailable", "RolloutStarted"],
    },
    { when: "the target is unknown", before: noStatus, after: noStatus, events: [] },
  ])("if $when: $events", ({ before, after, events }) => {
    expect(reasons(before, after)).toEqual(events);
  });

  test("a pool that is being deleted has no rollout Events", () => {
    expect(eventsOf(rollingB, settledOnB, { isBeingDeleted: true })).toEqual([]);
  });

  test("each names the image by a short digest, and the execution", () => {
    const short = "quay.io/example/myos@sha256:bbbbbbbbbbbb";
    const [available, started] = eventsOf(settledOnA, rollingB, { resourceVersion: "7" });
    const common = { type: "Normal", key: `7 ${digestB}`, execution: "e-1", image: imageB };
    expect(available).toEqual({
      ...common,
      event: "Node Pool Update Available",
      reason: "ImageUpdateAvailable",
      message: `${short} is available, sha256:aaaaaaaaaaaa is deployed (execution e-1)`,
    });
    expect(started?.message).toBe(`Rolling out ${short} to 3 nodes (execution e-1)`);
    const [completed] = eventsOf(rollingB, settledOnB);
    expect(completed?.message).toBe(`Rolled out ${short}: 3 of 3 nodes run it (execution e-1)`);
  });

  test("a single node, and no previous deployment", () => {
    const first = { ...rollingB, deployedDigest: null, nodeCount: 1 };
    const before = pool({}, { status: { ...first, targetDigest: digestA } });
    const messages = poolEvents(before, pool({}, { status: first }).status, null).map((events) => events.message);
    const short = "quay.io/example/myos@sha256:bbbbbbbbbbbb";
    expect(messages).toEqual([`${short} is available`, `Rolling out ${short} to 1 node`]);
  });
});

test("two writers of the same version emit the same Events", () => {
  const members = [member("a", updated), member("b", updated)];
  const before = pool({}, { status: rollingB, resourceVersion: "7" });
  const after = computePoolStatus(poolState(members, { pool: before }), null);
  const [one, other] = ["e-1", null].map((execution) => poolEvents(before, after, execution));
  const keys = (events: typeof one) => events?.map(({ reason, key }) => `${reason} ${key}`);
  expect(keys(one)).toEqual([`RolloutCompleted 7 ${digestB}`]);
  expect(keys(other)).toEqual(keys(one));
});
