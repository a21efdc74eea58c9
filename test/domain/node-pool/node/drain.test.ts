import { expect, test } from "vitest";
import {
  assessDrain,
  type DrainedPod,
  findDrainLosses,
  findDrainProblems,
  drainSlot,
  isDrainSlow,
} from "../../../../functions/domain/node-pool/node/drain.ts";
import { pendingNodeEvents } from "../../../../functions/domain/node-pool/event/node-events.ts";
import type { Slot } from "../../../../functions/domain/node-pool/node/bootc-node.ts";
import { computePoolStatus } from "../../../../functions/domain/node-pool/pool/status.ts";
import { after, noon } from "../../../support/workloads.ts";
import { cordoned, member, pool, poolState, slot, slotted } from "../pools.ts";

const web: DrainedPod = {
  namespace: "shop",
  name: "web-1",
  uid: "pod-1",
  controller: "ReplicaSet",
  controllerName: "web",
  isReady: true,
  isMirror: false,
  hasEmptyDir: false,
  phase: "Running",
  isBeingDeleted: false,
};
const bare: DrainedPod = { ...web, name: "bare", controller: null, phase: "Pending" };
const terminating: DrainedPod = { ...web, name: "ending", isBeingDeleted: true };
const ignored: readonly DrainedPod[] = [
  { ...web, name: "agent", controller: "DaemonSet" },
  { ...web, name: "etcd", controller: "Node", isMirror: true },
  { ...web, name: "done", controller: "Job", phase: "Succeeded" },
  { ...web, name: "failed", phase: "Failed" },
  { ...web, name: "agent-ending", controller: "DaemonSet", isBeingDeleted: true },
];

const drain = { force: true, deleteEmptyDirData: true };
const untimed = { drain, drainTimeoutSeconds: null };

test.for([
  { when: "nothing is left", pods: [], drain: { kind: "complete" } },
  { when: "pods are left", pods: [web, ...ignored, bare, terminating], drain: { kind: "evict", pods: [web, bare] } },
])("if $when", ({ pods, drain: progress }) => {
  expect(assessDrain(pods, slot, untimed, after(9999))).toEqual(progress);
});

test.for([
  { when: "before the timeout", minutes: 10, drain: "evict" },
  { when: "after the timeout", minutes: 11, drain: "timed-out" },
  { when: "after the timeout, and complete", minutes: 11, pods: ignored, drain: "complete" },
  { when: "after the timeout, with terminating pods", minutes: 11, pods: [terminating], drain: "timed-out" },
  { when: "restarted", minutes: 20, slot: { ...slot, drainStartedAt: after(11) }, drain: "evict" },
  { when: "started by another operator", minutes: 999, slot: { ...slot, acquiredAt: null }, drain: "evict" },
])("with a timeout of 600 s, $when: $drain", ({ minutes, pods = [web], slot: held = slot, drain: kind }) => {
  expect(assessDrain(pods, held, { drain, drainTimeoutSeconds: 600 }, after(minutes)).kind).toBe(kind);
});

test("a drain is slow after five minutes, regardless of restarts", () => {
  expect(isDrainSlow(slot, new Date(after(5).getTime() - 1))).toBe(false);
  expect(isDrainSlow({ ...slot, drainStartedAt: after(4) }, after(5))).toBe(true);
  expect(isDrainSlow({ ...slot, acquiredAt: null }, noon)).toBe(false);
});

const cache: DrainedPod = { ...web, name: "cache", hasEmptyDir: true };
const scratch: DrainedPod = { ...bare, name: "scratch", hasEmptyDir: true };
const ofAgent: DrainedPod = { ...cache, name: "agent", controller: "DaemonSet" };
const finished: DrainedPod = { ...scratch, name: "finished", phase: "Succeeded" };
const ending: DrainedPod = { ...scratch, name: "ending", isBeingDeleted: true };
const all: readonly DrainedPod[] = [web, bare, cache, scratch, ofAgent, finished, ending];

const noController = "has no controller, and drain.force is false";
const emptyDir = "has emptyDir data, and drain.deleteEmptyDirData is false";

test.for([
  { force: true, deleteEmptyDirData: true, problems: [] },
  { force: false, deleteEmptyDirData: true, problems: [`shop/bare ${noController}`, `shop/scratch ${noController}`] },
  { force: true, deleteEmptyDirData: false, problems: [`shop/cache ${emptyDir}`, `shop/scratch ${emptyDir}`] },
])("with force $force and deleteEmptyDirData $deleteEmptyDirData, a drain must not evict $problems", (options) => {
  const { problems, ...allowed } = options;
  expect(findDrainProblems(all, allowed)).toEqual(problems);
  const { kind } = assessDrain(all, slot, { drain: allowed, drainTimeoutSeconds: 600 }, noon);
  expect(kind).toBe(problems.length > 0 ? "blocked" : "evict");
});

test("what a drain loses", () => {
  expect(findDrainLosses(all)).toEqual([
    "shop/bare has no controller: nothing creates it again",
    "shop/cache has emptyDir data, which is lost",
    "shop/scratch has no controller: nothing creates it again",
  ]);
});

test.for<{ when: string; held: Partial<Slot>; requested: Date | null; since: Partial<Slot> }>([
  { when: "with the slot", held: {}, requested: after(-9), since: { acquiredAt: noon } },
  { when: "with the slot, if no request is known", held: {}, requested: null, since: { acquiredAt: noon } },
  { when: "at an unknown time", held: { acquiredAt: null }, requested: noon, since: { acquiredAt: null } },
  {
    when: "with an image that was requested since",
    held: { drainStartedAt: after(4) },
    requested: after(9),
    since: { acquiredAt: after(9), drainStartedAt: null },
  },
  {
    when: "with that image, and started again",
    held: { drainStartedAt: after(12) },
    requested: after(9),
    since: { acquiredAt: after(9), drainStartedAt: after(12) },
  },
])("a drain starts $when", ({ held, requested, since }) => {
  expect(drainSlot({ slot: { ...slot, ...held }, requestedAt: requested })).toMatchObject(since);
});

test("the drain of a rollback is neither slow nor timed out when it starts", () => {
  const old = { ...slotted, slot: { ...slot, acquiredAt: after(-30) }, requestedAt: after(-1) };
  const state = (minutes: number) =>
    poolState([member("w1", old, cordoned)], { pool: pool({ drainTimeoutSeconds: 1200 }), now: after(minutes) });
  const found = (minutes: number) => {
    const reasons = pendingNodeEvents(state(minutes), null).flatMap(({ events }) => events.map(({ reason }) => reason));
    return [reasons.includes("DrainTakingTooLong"), computePoolStatus(state(minutes), null).degradedCount];
  };
  expect(found(0)).toEqual([false, 0]);
  expect(found(4)).toEqual([true, 0]);
  expect(found(20)).toEqual([true, 1]);
});

test("a node without a slot is not drained", () => {
  expect(drainSlot({ slot: null, requestedAt: noon })).toBeNull();
});
