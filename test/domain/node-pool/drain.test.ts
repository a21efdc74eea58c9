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
const ending: DrainedPod = { ...web, name: "ending", isBeingDeleted: true };
const ignored: readonly DrainedPod[] = [
  { ...web, name: "agent", controller: "DaemonSet" },
  { ...web, name: "etcd", controller: "Node", isMirror: true },
  { ...web, name: "done", controller: "Job", phase: "Succeeded" },
  { ...web, name: "failed", phase: "Failed" },
  { ...web, name: "agent-ending", controller: "DaemonSet", isBeingDeleted: true },
];

test.for([
  { when: "nothing is left", pods: [], drain: { kind: "complete" } },
  { when: "only pods of DaemonSets, mirrors and finished ones are left", pods: ignored, drain: { kind: "complete" } },
  { when: "pods are left", pods: [web, ...ignored, bare, ending], drain: { kind: "evict", pods: [web, bare] } },
  { when: "all that is left is being deleted", pods: [ending, ...ignored], drain: { kind: "wait", left: 1 } },
])("where $when", ({ pods, drain }) => {
  expect(assessDrain(pods, slot, null, after(9999))).toEqual(drain);
});

test.for([
  { when: "in time", minutes: 10, drain: "evict" },
  { when: "late", minutes: 11, drain: "timed-out" },
  { when: "late, and complete", minutes: 11, pods: ignored, drain: "complete" },
  { when: "late, and ending", minutes: 11, pods: [ending], drain: "timed-out" },
  { when: "begun anew", minutes: 20, of: { ...slot, drainSince: after(11) }, drain: "evict" },
  { when: "begun anew, and late again", minutes: 22, of: { ...slot, drainSince: after(11) }, drain: "timed-out" },
  { when: "begun by another operator", minutes: 999, of: { ...slot, takenAt: null }, drain: "evict" },
])("with a limit of 600 s, $when: $drain", ({ minutes, pods = [web], of = slot, drain }) => {
  expect(assessDrain(pods, of, 600, after(minutes)).kind).toBe(drain);
});

test("a drain is slow after five minutes, however often it began anew", () => {
  expect(isDrainSlow(slot, new Date(after(5).getTime() - 1))).toBe(false);
  expect(isDrainSlow({ ...slot, drainSince: after(4) }, after(5))).toBe(true);
  expect(isDrainSlow({ ...slot, takenAt: null }, noon)).toBe(false);
});
