import { describe, expect, test } from "vitest";
import {
  assessCanaryOnDelete,
  assessOnDelete,
  frozenPods,
  frozenReason,
  isCanaryRolled,
} from "../../../../functions/domain/workload/on-delete/assess-on-delete.ts";
import { minPodCheckSeconds, podCheckSeconds } from "../../../../functions/domain/workload/on-delete/next-pod.ts";
import type { OnDeleteReadiness } from "../../../../functions/domain/workload/on-delete/assess-on-delete.ts";
import type { RolledPod } from "../../../../functions/domain/workload/on-delete/pod.ts";
import type { CanaryVerdict } from "../../../../functions/domain/workload/canary/canary.ts";
import type { OptIn } from "../../../../functions/domain/workload/policy/raw-policy.ts";
import type { Rollout, Workload } from "../../../../functions/domain/workload/workload.ts";
import { rollbackOf } from "../../../support/rollback.ts";
import { frozen, rolledPod as pod, unavailable, updated } from "../../../support/workloads/rolled-pods.ts";
import { after, completeRollout, inFlight, noon, workload } from "../../../support/workloads.ts";

/** Returns the counts that the status has of these pods. */
function rolloutOf(pods: readonly RolledPod[], parts: Partial<Rollout> = {}): Rollout {
  const updatedReplicas = pods.filter((one) => one.isUpdated).length;
  const readyReplicas = pods.filter(({ availableAt }) => availableAt !== null).length;
  const counts = { desiredReplicas: pods.length, updatedReplicas, readyReplicas };
  return { ...completeRollout, ...counts, oldReplicas: pods.length - updatedReplicas, template: "t-1", ...parts };
}

const observed = { ...inFlight, observation: { kind: "observed", at: noon, template: "t-1" } } as const;

type Failure = Extract<OnDeleteReadiness, { readonly reason: string }>;

describe("assessOnDelete", () => {
  const brokenPod = pod(2, { ...updated, ...unavailable });
  test.for([
    { when: "no pod is replaced yet", pods: [pod(0), pod(1)], verdict: "roll", reason: "pod app-1 is next" },
    { when: "each pod is replaced", pods: [pod(0, updated), pod(1, updated)], verdict: "ready" },
    { when: "all but a frozen pod are", pods: [pod(0, frozen), pod(1, updated)], verdict: "ready" },
    {
      when: "all but a frozen pod are, which is not available",
      pods: [pod(0, { ...frozen, ...unavailable }), pod(1, updated)],
      verdict: "ready",
    },
    {
      when: "a frozen pod is not available, and others are old",
      pods: [pod(0), pod(1, { ...frozen, ...unavailable }), pod(2, updated)],
      minutes: 60,
      verdict: "waiting",
      reason: "pod app-1 is frozen and not available",
    },
    {
      when: "all pods are frozen",
      pods: [pod(0, frozen), pod(1, frozen)],
      verdict: "waiting",
      reason: "not judged: pods app-0, app-1 are frozen and keep their revision",
    },
    {
      when: "the controller has not observed the change",
      pods: [pod(0, updated)],
      rollout: { generation: 9 },
      verdict: "waiting",
      reason: "its controller has not observed the change yet",
    },
    {
      when: "a pod is on its way",
      pods: [pod(0), pod(1), brokenPod],
      verdict: "progressing",
      reason: "pod app-2 is not available",
    },
    { when: "it does not come back", pods: [pod(0), pod(1), brokenPod], minutes: 11, verdict: "expired" },
    {
      when: "it does not come back, beside a frozen pod that is not available",
      pods: [pod(0), pod(1, { ...frozen, ...unavailable }), brokenPod],
      minutes: 11,
      verdict: "expired",
    },
    {
      when: "no node takes it",
      pods: [pod(0), pod(1), { ...brokenPod, isExcused: true }],
      minutes: 11,
      verdict: "not-started",
    },
    {
      when: "Pawl itself was away for longer than the timeout",
      pods: [pod(0), pod(1), pod(2, updated)],
      minutes: 60,
      verdict: "roll",
      reason: "pod app-1 is next",
    },
    {
      when: "the status lags behind the pods",
      pods: [pod(0, updated)],
      rollout: { updatedReplicas: 0 },
      verdict: "progressing",
      reason: "0 of 1 replicas updated",
    },
    {
      when: "all pods are replaced, and one runs the previous digest",
      pods: [pod(0, updated)],
      stale: "a new pod still runs it",
      verdict: "progressing",
      reason: "a new pod still runs it",
    },
    {
      when: "a frozen pod runs the previous digest",
      pods: [pod(0, updated), pod(1, frozen)],
      stale: "a new pod still runs it",
      verdict: "ready",
    },
  ] as const)("$when: $verdict", ({ pods, verdict, ...parts }) => {
    const { rollout, minutes = 1, stale, reason } = { rollout: {}, stale: null, reason: undefined, ...parts };
    const assessed = assessOnDelete(rolloutOf(pods, rollout), pods, workload(), observed, after(minutes), { stale });
    expect(assessed).toMatchObject({ kind: verdict, ...(reason === undefined ? {} : { reason }) });
  });

  test("replaces no further pod after its owner has disabled it", () => {
    const disabled = workload({ policy: { optIn: "no" } });
    const pods = [pod(0), pod(1, updated)];
    expect(assessOnDelete(rolloutOf(pods), pods, disabled, observed, after(1)).kind).toBe("expired");
  });

  test("waits for a pause no longer than it lasts", () => {
    const pods = [pod(0), pod(1, { ...updated, availableAt: after(1) })];
    expect(assessOnDelete(rolloutOf(pods), pods, workload(), observed, after(1))).toMatchObject({
      kind: "progressing",
      waitSeconds: 2,
    });
  });

  test("no health timeout ends in a pause, however long that is", () => {
    const pods = [pod(0), pod(1, { ...updated, availableAt: after(5) })];
    const slow = workload({ policy: { podPauseSeconds: 1800 } });
    expect(assessOnDelete(rolloutOf(pods), pods, slow, observed, after(20))).toEqual({
      kind: "progressing",
      waitSeconds: 60,
      reason: "a pause of 1800 s follows each pod",
    });
  });

  test("blames nothing if a pod of the version before it has failed since the update began", () => {
    const pods = [
      pod(0, { ...unavailable, hasFailedSinceStart: true, isFrozen: true }),
      pod(1, { ...updated, ...unavailable }),
    ];
    const { kind, reason } = assessOnDelete(rolloutOf(pods), pods, workload(), observed, after(11)) as Failure;
    expect(kind).toBe("unproven");
    expect(reason).toMatch(/; the version before it fails too: 1 pod failing: app-0/);
  });

  test("of a DaemonSet, a pod that has crashed is not one that was unavailable before", () => {
    const pods = [pod(0, { ...updated, ...unavailable, hasCrashed: true }), pod(1, updated)];
    const before = { ...observed, unavailableBefore: 1 };
    const rollout = rolloutOf(pods, { podsPer: "node" });
    expect(assessOnDelete(rollout, pods, workload(), before, after(11)).kind).toBe("expired");
    const same = pods.map((one) => ({ ...one, hasCrashed: false }));
    expect(assessOnDelete(rollout, same, workload(), before, after(11)).kind).toBe("ready");
  });
});

describe("a canary of two of four nodes", () => {
  const on = (node: string, parts: Partial<RolledPod> = {}) =>
    pod(0, { name: `app-${node}`, node, ordinal: null, ...parts });
  const [a, b, c, d] = [on("a"), on("b"), on("c"), on("d")];
  const first = { ...a, ...updated };
  const progressing = { kind: "progressing", waitSeconds: 60, reason: "0 of 2 replicas updated" } as const;
  const roll = (name: string) => ({ kind: "roll", reason: `pod ${name} is next` });
  test.for([
    { when: "no pod is replaced", pods: [d, c, b, a], is: roll("app-a") },
    { when: "one is, and available", pods: [first, b, c, d], is: roll("app-b") },
    { when: "the first node had trouble before", pods: [on("a", unavailable), b, c, d], is: roll("app-b") },
    { when: "a pod of the canary has no node yet", pods: [first, { ...b, node: null }, c, d], is: roll("app-b") },
    { when: "the first one is frozen", pods: [on("a", frozen), b, c, d], is: roll("app-b") },
    { when: "it has its size", pods: [first, { ...b, ...updated }, c, d], is: { ...progressing, waitSeconds: 15 } },
    {
      when: "it has it, and was ready",
      pods: [first, { ...b, ...updated }, c, d],
      verdict: { kind: "ready" },
      is: { kind: "ready" },
    },
    {
      when: "a node was removed after it was ready",
      pods: [first, b, c],
      verdict: { kind: "ready" },
      desired: 3,
      is: roll("app-b"),
    },
    {
      when: "one is on its way",
      pods: [{ ...first, ...unavailable }, b, c, d],
      is: { ...progressing, waitSeconds: 15 },
    },
    {
      when: "no old pod is available",
      pods: [on("a", unavailable), on("b", unavailable)],
      desired: 2,
      is: { ...progressing, waitSeconds: 15 },
    },
    {
      when: "its owner wants a pause between two pods",
      pods: [{ ...first, availableAt: after(1) }, b, c, d],
      pause: 90,
      is: { kind: "progressing", waitSeconds: 60, reason: "a pause of 90 s follows each pod" },
    },
    {
      when: "a frozen pod is down",
      pods: [on("a", { ...frozen, ...unavailable }), b, c, d],
      is: { kind: "waiting", waitSeconds: 15, reason: "pod app-a is frozen and not available" },
    },
    {
      when: "time was lost",
      pods: [first, b, c, d],
      verdict: { kind: "not-started", reason: "late" },
      is: roll("app-b"),
    },
    {
      when: "its window has ended",
      pods: [a, b, c, d],
      verdict: { kind: "withdraw", reason: "late" },
      is: { kind: "withdraw", reason: "late" },
    },
    { when: "a person promotes it", pods: [a, b, c, d], decided: "promote", is: progressing },
    { when: "a person aborts it", pods: [a, b, c, d], decided: "abort", is: progressing },
    { when: "its owner opts out", pods: [a, b, c, d], optIn: "no", is: progressing },
  ] as const)("$when: $is.kind", ({ pods, is, ...row }) => {
    const {
      desired = 4,
      pause = 0,
      verdict = progressing,
      decided = null,
      optIn = "yes",
    } = { ...row } as {
      readonly desired?: number;
      readonly pause?: number;
      readonly verdict?: CanaryVerdict;
      readonly decided?: Workload["verdict"];
      readonly optIn?: OptIn;
    };
    const rollout = rolloutOf(pods, { desiredReplicas: desired, podsPer: "node" });
    const canary = { ...rollout, desiredReplicas: 2 };
    const subject = { ...workload({ policy: { podPauseSeconds: pause, optIn } }), rollout, canary, verdict: decided };
    expect(assessCanaryOnDelete(verdict, subject, observed, pods, after(1))).toEqual(is);
  });
});

test.for([
  { when: "it has too few pods", rollout: { isOnDelete: true }, updatedReplicas: 1, is: true },
  { when: "it has its size", rollout: { isOnDelete: true }, updatedReplicas: 2, is: false },
  { when: "its controller replaces them", rollout: {}, updatedReplicas: 1, is: false },
] as const)("Pawl replaces pods of a canary if $when: $is", ({ rollout, updatedReplicas, is }) => {
  const canary = { ...completeRollout, desiredReplicas: 2, updatedReplicas };
  expect(isCanaryRolled({ rollout: { ...completeRollout, ...rollout }, canary })).toBe(is);
});

test.for([
  { pods: [], reason: null },
  { pods: [pod(1, frozen), pod(0)], reason: "pod app-1 is frozen and keeps its revision" },
  { pods: [pod(1, frozen), pod(0, frozen)], reason: "pods app-0, app-1 are frozen and keep their revision" },
  { pods: [pod(1, { ...frozen, ...updated })], reason: null },
])("describes frozen pods: $reason", ({ pods, reason }) => {
  expect(frozenReason(frozenPods(pods))).toBe(reason);
});

describe("a pod that is on its way is checked again", () => {
  const waiting = { ...inFlight, observation: { kind: "waiting", reason: "a budget refuses it" } } as const;
  test.for([
    { when: "after 2 s at first", of: observed, seconds: 0, is: 2 },
    { when: "then half as long again", of: observed, seconds: 10, is: 7 },
    { when: "and after 15 s at most", of: observed, seconds: 60, is: 15 },
    { when: "after 2 s if the clocks differ", of: observed, seconds: -5, is: 2 },
    { when: "after 15 s while no deadline counts", of: waiting, seconds: 0, is: 15 },
    { when: "in a rollback too", of: rollbackOf(inFlight, { revertedAt: noon }), seconds: 4, is: 4 },
    { when: "in one of an earlier release", of: rollbackOf(inFlight), seconds: 4, is: 15 },
  ])("$when", ({ of, seconds, is }) => {
    expect(podCheckSeconds(of, after(seconds / 60))).toBe(is);
  });

  test("so that pods that are ready in 1 s take 6 s each, with a pause of 4 s", () => {
    const subject = workload({ policy: { podPauseSeconds: 4 } });
    let pods = [0, 1, 2, 3, 4].map((ordinal) => pod(ordinal));
    let evictedAt = 0;
    const evictions: number[] = [];
    const at = (seconds: number) => after(seconds / 60);
    for (let second = 0; second < 120;) {
      const replaced = pods.map((one) => ({
        ...one,
        availableAt: (one.availableAt ?? noon) <= at(second) ? one.availableAt : null,
      }));
      const held = { ...observed, observation: { ...observed.observation, at: at(evictedAt) } };
      const verdict = assessOnDelete(rolloutOf(replaced), replaced, subject, held, at(second));
      if (verdict.kind === "ready") break;
      if (verdict.kind === "roll") {
        const next = replaced.findLast((one) => !one.isUpdated)?.name;
        evictedAt = second;
        evictions.push(second);
        pods = pods.map((one) => (one.name === next ? { ...one, ...updated, availableAt: at(second + 1) } : one));
        second += minPodCheckSeconds;
      } else second += "waitSeconds" in verdict ? verdict.waitSeconds : 0;
    }
    expect(evictions).toEqual([0, 5, 10, 15, 20]);
  });
});
