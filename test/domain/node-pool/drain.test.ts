import { expect, test } from "vitest";
import { assessDrain, type DrainedPod, isDrainSlow } from "../../../functions/domain/node-pool/drain.ts";
import { after, noon } from "../../support/workloads.ts";
import { slot } from "./pools.ts";

const web: DrainedPod = {
  namespace: "shop",
  name: "web-1",
  uid: "pod-1",
  controller: "ReplicaSet",
  isMirror: false,
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

test.for([
  { when: "nothing is left", pods: [], drain: { kind: "complete" } },
  {
    when: "only pods of DaemonSets, mirror pods and finished pods are left",
    pods: ignored,
    drain: { kind: "complete" },
  },
  { when: "pods are left", pods: [web, ...ignored, bare, terminating], drain: { kind: "evict", pods: [web, bare] } },
  {
    when: "all remaining pods are terminating",
    pods: [terminating, ...ignored],
    drain: { kind: "wait", remaining: 1 },
  },
])("if $when", ({ pods, drain }) => {
  expect(assessDrain(pods, slot, null, after(9999))).toEqual(drain);
});

test.for([
  { when: "before the timeout", minutes: 10, drain: "evict" },
  { when: "after the timeout", minutes: 11, drain: "timed-out" },
  { when: "after the timeout, and complete", minutes: 11, pods: ignored, drain: "complete" },
  { when: "after the timeout, with terminating pods", minutes: 11, pods: [terminating], drain: "timed-out" },
  { when: "restarted", minutes: 20, slot: { ...slot, drainStartedAt: after(11) }, drain: "evict" },
  {
    when: "restarted, and after the timeout again",
    minutes: 22,
    slot: { ...slot, drainStartedAt: after(11) },
    drain: "timed-out",
  },
  { when: "started by another operator", minutes: 999, slot: { ...slot, acquiredAt: null }, drain: "evict" },
])("with a timeout of 600 s, $when: $drain", ({ minutes, pods = [web], slot: held = slot, drain }) => {
  expect(assessDrain(pods, held, 600, after(minutes)).kind).toBe(drain);
});

test("a drain is slow after five minutes, regardless of restarts", () => {
  expect(isDrainSlow(slot, new Date(after(5).getTime() - 1))).toBe(false);
  expect(isDrainSlow({ ...slot, drainStartedAt: after(4) }, after(5))).toBe(true);
  expect(isDrainSlow({ ...slot, acquiredAt: null }, noon)).toBe(false);
});
