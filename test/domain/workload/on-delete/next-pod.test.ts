import { describe, expect, test } from "vitest";
import {
  leftPodIdleSeconds,
  leftPodWaitSeconds,
  nextLeftPod,
  nextPod,
  type NextPod,
} from "../../../../functions/domain/workload/on-delete/next-pod.ts";
import type { RolledPod } from "../../../../functions/domain/workload/on-delete/pod.ts";
import { frozen, rolledPod, superseded, unavailable, updated } from "../../../support/workloads/rolled-pods.ts";
import { after, completeRollout, noon } from "../../../support/workloads.ts";

const one = completeRollout;
const pod = rolledPod;

function next(pods: readonly RolledPod[], rollout: object = {}, minutes = 1, pauseSeconds = 2) {
  return describeNext(
    nextPod(pods, { ...one, desiredReplicas: pods.length, ...rollout }, pauseSeconds, after(minutes)),
  );
}

function describeNext(found: NextPod) {
  return found.kind === "evict" ? found.pod.name : found.kind === "none" ? null : found.reason;
}

describe("the next pod of a StatefulSet", () => {
  test.for([
    { of: "old pods, the highest ordinal first", pods: [pod(0), pod(2), pod(1)], is: "app-2" },
    { of: "ten and more, by number", pods: [pod(9), pod(10), pod(2)], is: "app-10" },
    { of: "the last one", pods: [pod(0), pod(1, updated), pod(2, updated)], is: "app-0" },
    { of: "updated pods", pods: [pod(0, updated), pod(1, updated)], is: null },
    { of: "frozen pods", pods: [pod(0), pod(1, frozen), pod(2, frozen)], is: "app-0" },
    { of: "frozen pods only", pods: [pod(0, frozen), pod(1, updated)], is: null },
    {
      of: "an available pod beside a frozen one that is not available: one pod is down at a time",
      pods: [pod(0), pod(1, { ...frozen, ...unavailable })],
      is: "pod app-1 is frozen and not available",
    },
    {
      of: "an old pod beside a frozen one, both not available",
      pods: [pod(0, unavailable), pod(1, { ...frozen, ...unavailable }), pod(2)],
      is: "app-0",
    },
    {
      of: "an updated pod that is not available",
      pods: [pod(0), pod(1), pod(2, { ...updated, ...unavailable })],
      is: "pod app-2 is not available",
    },
    {
      of: "an updated pod that is frozen now, and not available",
      pods: [pod(0), pod(1, { ...updated, ...frozen, ...unavailable })],
      is: "pod app-1 is not available",
    },
    {
      of: "a pod that is ready, but not for minReadySeconds",
      pods: [pod(0), pod(1, { ...updated, availableAt: after(2) })],
      is: "pod app-1 is not available",
    },
    {
      of: "an evicted pod that is not gone yet",
      pods: [pod(0), pod(1, { isTerminating: true })],
      is: "pod app-1 is not available",
    },
    {
      of: "old pods that are not available, the lowest first",
      pods: [pod(0), pod(1, unavailable), pod(2, unavailable)],
      is: "app-1",
    },
    {
      of: "a missing pod, which an ordered StatefulSet creates after one that is not available",
      pods: [pod(0, unavailable)],
      rollout: { desiredReplicas: 2 },
      is: "app-0",
    },
    { of: "a missing pod", pods: [pod(0)], rollout: { desiredReplicas: 2 }, is: "1 of 2 pods exist" },
    {
      of: "a pod that is scaled down",
      pods: [pod(0), pod(1)],
      rollout: { desiredReplicas: 1 },
      is: "2 of 1 pods exist",
    },
    {
      of: "a template that its controller has not observed",
      pods: [pod(0)],
      rollout: { generation: 3 },
      is: "the controller has not observed the change yet",
    },
    {
      of: "a pod on a node that does not answer",
      pods: [pod(0), pod(1, { ...updated, ...unavailable, isExcused: true })],
      is: "pod app-1 is not available",
    },
  ])("of $of: $is", ({ pods, rollout, is }) => {
    expect(next(pods, rollout)).toBe(is);
  });

  test("waits for its pause after each pod but the last", () => {
    const available = pod(1, { ...updated, availableAt: after(1) });
    const pods = [pod(0), available];
    const rollout = { ...one, desiredReplicas: 2 };
    expect(nextPod(pods, rollout, 30.5, after(1.1))).toEqual({
      kind: "pause",
      waitSeconds: 25,
      reason: "a pause of 30.5 s follows each pod",
    });
    expect(nextPod(pods, rollout, 30, after(1.5))).toMatchObject({ kind: "evict" });
    expect(nextPod([available], { ...one, desiredReplicas: 1 }, 30, after(1.1))).toEqual({ kind: "none" });
    expect(nextPod([pod(0, { availableAt: noon })], { ...one, desiredReplicas: 1 }, 30, noon)).toMatchObject({
      kind: "evict",
    });
  });
});

describe("all pods of a StatefulSet, of which each is available again after it was replaced", () => {
  test.for([
    { of: 3, frozenOrdinals: [], order: ["app-2", "app-1", "app-0"] },
    { of: 3, frozenOrdinals: [1], order: ["app-2", "app-0"] },
    { of: 3, frozenOrdinals: [2], order: ["app-1", "app-0"] },
    { of: 3, frozenOrdinals: [0, 1, 2], order: [] },
    { of: 1, frozenOrdinals: [], order: ["app-0"] },
  ])("are replaced from $of to 0, but for $frozenOrdinals: $order", ({ of, frozenOrdinals, order }) => {
    const isFrozen = (ordinal: number) => (frozenOrdinals as readonly number[]).includes(ordinal);
    let pods = Array.from({ length: of }, (_, ordinal) => pod(ordinal, { isFrozen: isFrozen(ordinal) }));
    const replaced: string[] = [];
    for (let name = next(pods); name !== null && replaced.length <= of; name = next(pods)) {
      replaced.push(name);
      pods = pods.map((each) => (each.name === name ? { ...each, ...updated } : each));
    }
    expect(replaced).toEqual(order);
  });
});

describe("the next pod of a DaemonSet", () => {
  const node = { podsPer: "node" } as const;
  const onNode = (name: string, parts: Partial<RolledPod> = {}) => pod(0, { name, ordinal: null, ...parts });

  test.for([
    { of: "old pods, by name", pods: [onNode("b"), onNode("a")], is: "a" },
    {
      of: "an updated pod on a node that does not answer",
      pods: [onNode("a", { ...updated, ...unavailable, isExcused: true }), onNode("b")],
      is: "b",
    },
    {
      of: "a pod beside a frozen one on a node that does not answer",
      pods: [onNode("a", { ...frozen, ...unavailable, isExcused: true }), onNode("b")],
      is: "b",
    },
    {
      of: "a pod beside a frozen one that is not available",
      pods: [onNode("a", { ...frozen, ...unavailable }), onNode("b")],
      is: "pod a is frozen and not available",
    },
    {
      of: "an old pod on a node that does not answer",
      pods: [onNode("a", { ...unavailable, isExcused: true })],
      is: null,
    },
  ])("of $of: $is", ({ pods, is }) => {
    expect(next(pods, node)).toBe(is);
  });

  const broken = { ...superseded, ...unavailable };
  test.for([
    { of: "the first that is available", pods: [onNode("a", unavailable), onNode("b")], is: "b" },
    { of: "one of the canary before it, not the first", pods: [onNode("a"), onNode("b", superseded)], is: "b" },
    { of: "one that the canary before it has broken", pods: [onNode("a"), onNode("b", broken)], is: "b" },
    {
      of: "a broken one before another of the same canary",
      pods: [onNode("a", superseded), onNode("b", broken), onNode("c")],
      is: "b",
    },
    {
      of: "one of that canary that is on its way",
      pods: [onNode("a"), onNode("b", { ...broken, isTerminating: true })],
      limit: 2,
      is: "pod b is not available",
    },
    { of: "none that is available", pods: [onNode("a", unavailable)], is: "no old pod is available" },
    { of: "one more than it has", pods: [onNode("a", updated), onNode("b", superseded)], is: null },
  ])("for a canary of $limit, $of: $is", ({ pods, limit = 1, is }) => {
    const rollout = { ...one, ...node, desiredReplicas: pods.length };
    expect(describeNext(nextPod(pods, rollout, 2, after(1), limit))).toBe(is);
  });

  test.for([
    { of: "its pods among those of the template", pods: [onNode("a", updated), onNode("b", superseded)], is: "b" },
    { of: "its pods among those of neither", pods: [onNode("a"), onNode("b", superseded)], is: "b" },
    { of: "its broken pods first", pods: [onNode("a", superseded), onNode("b", broken), onNode("c")], is: "b" },
    { of: "no other pods", pods: [onNode("a"), onNode("b", updated)], is: null },
    {
      of: "the next while one is on its way",
      pods: [onNode("a"), onNode("b", { ...updated, ...unavailable }), onNode("c", superseded)],
      is: "pod b is not available",
    },
    {
      of: "one while another is missing",
      pods: [onNode("a"), onNode("b", superseded)],
      missing: 1,
      is: "1 of 2 pods exist",
    },
  ])("of a canary that has ended, $of: $is", ({ pods, missing = 0, is }) => {
    const rollout = { ...one, ...node, desiredReplicas: pods.length + missing };
    expect(describeNext(nextLeftPod(pods, rollout, 2, after(1)))).toBe(is);
  });
});

test.for([
  { waits: 15, idle: 59, is: 15 },
  { waits: 2, idle: 60, is: 60 },
  { waits: 15, idle: 600, is: 300 },
  { waits: 60, idle: 1798, is: 899 },
  { waits: 60, idle: 86_400, is: 900 },
])("a left pod that waits for $waits s waits for $is s after $idle s without a change", ({ waits, idle, is }) => {
  expect(leftPodWaitSeconds(waits, idle)).toBe(is);
});

test.for([
  { when: "a pod became available since", pods: [{ availableAt: after(2) }, unavailable], is: 60 },
  { when: "none has since", pods: [{ availableAt: after(-9) }, unavailable], is: 120 },
  { when: "one will be soon", pods: [{ availableAt: after(4) }], is: 120 },
])("counts from the start of the execution, or from the last pod: $when", ({ pods, is }) => {
  const seen = pods.map((parts, index) => pod(index, parts));
  expect(leftPodIdleSeconds(seen, after(1), after(3))).toBe(is);
});
