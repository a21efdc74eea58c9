import { describe, expect, test } from "vitest";
import { rollbackOf } from "../../support/rollback.ts";
import { pauseAnalysis } from "../../../functions/domain/analysis/pause.ts";
import { analyzeCanary } from "../../../functions/handlers/analyze-canary.ts";
import { applyUpdate } from "../../../functions/handlers/apply-update.ts";
import { checkCanary } from "../../../functions/handlers/check-canary.ts";
import { checkReadiness } from "../../../functions/handlers/check-readiness.ts";
import { checkRollback } from "../../../functions/handlers/check-rollback.ts";
import { recordSuccess } from "../../../functions/handlers/record-success.ts";
import { rollPod } from "../../../functions/handlers/roll-pod.ts";
import type { RolledPod } from "../../../functions/domain/workload/on-delete/pod.ts";
import type { Rollout, Workload } from "../../../functions/domain/workload/workload.ts";
import type { FakeOptions } from "../../support/fake-ports.ts";
import { observedPod } from "../../support/observed-pods.ts";
import { frozen, rolledPod as pod, superseded, unavailable, updated } from "../../support/workloads/rolled-pods.ts";
import {
  after,
  canaryWorkload,
  completeRollout,
  image,
  inFlight,
  noon,
  updatingWorkload,
  type WorkloadParts,
} from "../../support/workloads.ts";
import { around, expectSelectable, step } from "../steps.ts";

const check = { ...step, executionStartedAt: noon.toISOString() };
const observed = { ...inFlight, observation: { kind: "observed", at: noon, template: "t-1" } } as const;
const rollback = rollbackOf(inFlight, { revertedAt: noon });
const refuse = { evict: () => ({ kind: "refused", reason: "needs 3 healthy pods and has 3" }) as const };
const refusal = "pod app-2 cannot be evicted: needs 3 healthy pods and has 3";
const old = [pod(0), pod(1), pod(2)];

function onDelete(pods: readonly RolledPod[], parts: WorkloadParts = {}): Workload {
  const updatedReplicas = pods.filter((one) => one.isUpdated).length;
  const rollout: Rollout = {
    ...completeRollout,
    updatedReplicas,
    oldReplicas: pods.length - updatedReplicas,
    template: "t-1",
    isOnDelete: true,
  };
  return updatingWorkload({ rollout, inFlight: observed, ...parts });
}

function portsOf(pods: readonly RolledPod[], initial = onDelete(pods), options: FakeOptions = {}) {
  const evicted: string[] = [];
  const evict = (name: string) => {
    evicted.push(name);
    return options.evict?.(name) ?? ({ kind: "evicted" } as const);
  };
  return { ...around(initial, { now: after(1), ...options, rolledPods: () => pods, evict }), evicted };
}

describe("RollPod", () => {
  test("evicts the next pod, and counts its health timeout from before that", async () => {
    const ports = portsOf(old);
    const result = await rollPod(ports, step);
    expect(result).toEqual({ kind: "rolled", waitSeconds: 2, reason: "evicted pod app-2" });
    expect(ports.evicted).toEqual(["app-2"]);
    expect(ports.cluster.get().inFlight?.observation).toEqual({ kind: "observed", at: after(1), template: "t-1" });
    expectSelectable("RollPod", result);
  });

  test.for([
    { when: "a pod is on its way", pods: [pod(0), pod(1), pod(2, { ...updated, ...unavailable })], waitSeconds: 15 },
    { when: "each pod is replaced", pods: [pod(0, updated), pod(1, frozen)], waitSeconds: 15 },
  ])("evicts none while $when", async ({ pods, waitSeconds }) => {
    const ports = portsOf(pods);
    expect(await rollPod(ports, step)).toMatchObject({ kind: "rolled", waitSeconds });
    expect(ports.evicted).toEqual([]);
  });

  test("notes once that a budget refuses it, and no health timeout counts", async () => {
    const ports = portsOf(old, undefined, refuse);
    expect(await rollPod(ports, step)).toEqual({ kind: "rolled", waitSeconds: 60, reason: refusal });
    const noted = ports.cluster.get();
    expect(noted.inFlight?.observation).toEqual({ kind: "waiting", reason: refusal });
    ports.pass(1800);
    expect(await checkReadiness(ports, check)).toMatchObject({ kind: "roll", reason: "pod app-2 is next" });
    await rollPod(ports, step);
    expect(ports.cluster.get()).toEqual(noted);
    expect(ports.evicted).toEqual(["app-2", "app-2"]);
  });

  test.for([
    { when: "the claim is lost", initial: onDelete(old, { inFlight: { ...observed, execution: "e-9" } }) },
    { when: "a person changed the image", initial: onDelete(old, { image: "registry.example/shop/app:9.9.9" }) },
    { when: "the workload is deleted", initial: null },
  ])("evicts nothing if $when", async ({ initial }) => {
    const evict = () => {
      throw new Error("evicted");
    };
    const ports = around(initial, { rolledPods: () => old, evict });
    expect(await rollPod(ports, step)).toMatchObject({ kind: "superseded" });
  });

  test("replaces no pod after its owner has chosen another update strategy", async () => {
    const ports = portsOf(old, updatingWorkload());
    expect(await rollPod(ports, step)).toMatchObject({ kind: "rolled", reason: "no pod needs to be replaced" });
    expect(ports.evicted).toEqual([]);
    const gone = portsOf(old, updatingWorkload({ rollout: null }));
    expect(await rollPod(gone, step)).toMatchObject({ kind: "rolled" });
  });
});

describe("a canary of one of three nodes", () => {
  const nodes = ["a", "b", "c"].map((node) => pod(0, { name: `app-${node}`, node, ordinal: null }));
  const counts = { ...completeRollout, template: "t-1", isOnDelete: true, podsPer: "node" } as const;
  const canary = { ...completeRollout, desiredReplicas: 1, updatedReplicas: 0, readyReplicas: 0, partition: 2 };
  const waiting = canaryWorkload({ rollout: counts, canary, inFlight: { ...observed, phase: "canary" } });

  test("has the pod of its first node replaced, and is checked again", async () => {
    const ports = portsOf(nodes, waiting);
    const result = await checkCanary(ports, check);
    expect(result).toMatchObject({ kind: "roll", waitSeconds: 2, reason: "pod app-a is next" });
    expectSelectable("CheckCanary", result);
    expect(await rollPod(ports, step)).toEqual({ kind: "canary", waitSeconds: 2, reason: "evicted pod app-a" });
    expect(ports.evicted).toEqual(["app-a"]);
    expect(ports.cluster.get().inFlight?.observation).toMatchObject({ at: after(1) });
  });

  test("has no other pod replaced once it has its size, or was deleted", async () => {
    const [first, ...others] = nodes;
    const replaced = portsOf([{ ...first, ...updated } as RolledPod, ...others], waiting);
    expect(await rollPod(replaced, step)).toMatchObject({ kind: "canary", reason: "no pod needs to be replaced" });
    const gone = portsOf(nodes, { ...waiting, canary: null });
    expect(await rollPod(gone, step)).toMatchObject({ kind: "canary", reason: "no pod needs to be replaced" });
  });

  test("waits for a minute after a budget refused it, and no health timeout counts", async () => {
    const ports = portsOf(nodes, waiting, refuse);
    await rollPod(ports, step);
    ports.pass(1800);
    expect(await checkCanary(ports, check)).toMatchObject({ kind: "roll", waitSeconds: 60 });
  });

  test("ends at once if a pod of it has failed", async () => {
    const failed = { ...canary, desiredReplicas: 2, updatedReplicas: 1 };
    const ports = portsOf(
      nodes,
      { ...waiting, canary: failed },
      {
        observed: () => [observedPod({ isReady: false })],
        now: after(11),
      },
    );
    expect(await checkCanary(ports, check)).toMatchObject({ kind: "fail" });
  });

  test.for([
    { when: "it lost its node after it was ready", pods: nodes, pause: 0, is: { kind: "roll", waitSeconds: 2 } },
    {
      when: "a pause follows",
      pods: [{ ...nodes[0], ...updated } as RolledPod, ...nodes.slice(1)],
      pause: 90,
      is: { kind: "running", waitSeconds: 30 },
    },
  ])("AnalyzeCanary measures nothing while it has too few pods: $when", async ({ pods, pause, is }) => {
    const paused = pauseAnalysis(null, "NotReady", "0 of 1 replicas ready", noon);
    const small = { ...canary, desiredReplicas: 2 };
    const policy = { ...waiting.policy, podPauseSeconds: pause, analysis: "error-rate" };
    const ports = portsOf(pods, { ...waiting, policy, canary: small, analysis: paused });
    const result = await analyzeCanary(ports, check);
    expect(result).toMatchObject(is);
    expectSelectable("AnalyzeCanary", result);
    // Each pod has the health timeout.
    expect(ports.cluster.get().analysis?.pause === null).toBe(result.kind === "roll");
  });
});

describe("a canary of two of three nodes that is left without an update", () => {
  const nodes = ["a", "b", "c"].map((node) => pod(0, { name: `app-${node}`, node, ordinal: null }));
  const left = { isCanaryLeft: true, inFlight: null, image, canary: null } as const;
  const rollout = { ...completeRollout, isOnDelete: true, podsPer: "node" } as const;
  const cleanup = { ...step, target: { kind: "image", image }, strategy: "abort" } as const;

  test("has its pods replaced one by one, and loses its mark only then", async () => {
    let pods = nodes.map((one, index) => ({ ...one, isUpdated: index === 2, isSuperseded: index < 2 }));
    const evict = (name: string) => {
      pods = pods.map((one) => (one.name === name ? { ...one, isUpdated: true, isSuperseded: false } : one));
      return { kind: "evicted" } as const;
    };
    const ports = around(updatingWorkload({ ...left, rollout }), { now: after(1), rolledPods: () => pods, evict });
    const run = { ...cleanup, executionStartedAt: after(1).toISOString() };
    expect(await applyUpdate(ports, cleanup)).toMatchObject({ kind: "applied", waitSeconds: 0 });
    for (const name of ["app-a", "app-b"]) {
      expect(ports.cluster.get().isCanaryLeft).toBe(true);
      expect(await checkReadiness(ports, run)).toEqual({ kind: "roll", waitSeconds: 0, reason: `pod ${name} is next` });
      expect(await rollPod(ports, cleanup)).toEqual({ kind: "rolled", waitSeconds: 2, reason: `evicted pod ${name}` });
    }
    expect(await checkReadiness(ports, run)).toMatchObject({ kind: "superseded" });
    expect(await rollPod(ports, cleanup)).toMatchObject({ kind: "superseded" });
    expect(await applyUpdate(ports, cleanup)).toMatchObject({ kind: "applied" });
    expect(ports.cluster.get().isCanaryLeft).toBe(false);
    expect(await checkReadiness(ports, run)).toMatchObject({ kind: "superseded" });
  });

  test.for([
    { when: "one is on its way", parts: [updated, { ...updated, ...unavailable }, superseded], wait: 15 },
    { when: "a pause follows each", parts: [{ ...updated, availableAt: after(1) }, {}, superseded], wait: 2 },
  ])("waits while $when, and ends before its history is full", async ({ parts, wait }) => {
    const pods = nodes.map((one, index) => ({ ...one, ...parts[index] }));
    const ports = portsOf(pods, updatingWorkload({ ...left, rollout }));
    const run = { ...cleanup, executionStartedAt: after(1).toISOString() };
    expect(await checkReadiness(ports, run)).toMatchObject({ kind: "progressing", waitSeconds: wait });
    ports.pass(24 * 3600 + 1);
    expect(await checkReadiness(ports, run)).toMatchObject({ kind: "superseded" });
    expect(ports.evicted).toEqual([]);
  });

  test("is parked after an hour in which nothing has changed", async () => {
    const parts = [updated, { ...updated, ...unavailable }, superseded];
    const ports = portsOf(
      nodes.map((one, index) => ({ ...one, ...parts[index] })),
      updatingWorkload({ ...left, rollout }),
    );
    const run = { ...cleanup, executionStartedAt: after(1).toISOString() };
    ports.pass(3599);
    expect(await checkReadiness(ports, run)).toMatchObject({ kind: "progressing", waitSeconds: 900 });
    ports.pass(1);
    expect(await checkReadiness(ports, run)).toMatchObject({ kind: "parked", waitSeconds: 900 });
  });

  test("ends after 36 minutes if a pod has just been replaced", async () => {
    const parts = [{ ...updated, availableAt: after(37) }, superseded, superseded];
    const pods = nodes.map((one, index) => ({ ...one, ...parts[index] }));
    const ports = portsOf(pods, updatingWorkload({ ...left, rollout }));
    const run = { ...cleanup, executionStartedAt: after(1).toISOString() };
    ports.pass(36 * 60 + 1);
    expect(await checkReadiness(ports, run)).toMatchObject({ kind: "superseded" });
    ports.pass(60);
    expect(await checkReadiness(ports, run)).toMatchObject({ kind: "roll" });
  });

  test.for([
    { when: "a pod is not available", parts: [updated, { ...updated, ...unavailable }, superseded], evict: undefined },
    { when: "a pause follows each", parts: [{ ...updated, availableAt: after(1) }, {}, superseded], pause: 7200 },
    { when: "a budget refuses evictions", parts: [superseded, updated, updated], evict: refuse },
  ])("needs 60 transitions an hour at most while $when, for a day", async ({ parts, evict, pause = 0 }) => {
    const pods = nodes.map((one, index) => ({ ...one, ...parts[index] }));
    const policy = { podPauseSeconds: pause };
    const ports = portsOf(pods, updatingWorkload({ ...left, rollout, policy }), evict);
    const run = { ...cleanup, executionStartedAt: after(1).toISOString() };
    for (let hour = 0; hour < 23; hour += 1) {
      let transitions = 0;
      const end = ports.now().getTime() + 3_600_000;
      while (ports.now().getTime() < end) {
        const checked = await checkReadiness(ports, run);
        expectSelectable("CheckReadiness", checked);
        const { kind, waitSeconds } = checked.kind === "roll" ? await rollPod(ports, run) : checked;
        transitions += kind === "rolled" ? 5 : 3;
        ports.pass(waitSeconds);
        if (pause > 0 && kind === "rolled") return;
      }
      expect(transitions).toBeLessThanOrEqual(60);
    }
  });

  test("waits for a minute after a budget refused an eviction", async () => {
    const pods = nodes.map((one, index) => ({ ...one, isUpdated: index > 0, isSuperseded: index === 0 }));
    const ports = portsOf(pods, updatingWorkload({ ...left, rollout }), refuse);
    const reason = "pod app-a cannot be evicted: needs 3 healthy pods and has 3";
    expect(await rollPod(ports, cleanup)).toEqual({ kind: "rolled", waitSeconds: 60, reason });
  });
});

describe("in a rollback", () => {
  const pods = [pod(0, updated), pod(1, updated), pod(2)];
  const initial = onDelete(pods, { image, inFlight: rollback });

  test("CheckRollback has the pods of the failed version replaced, each with a deadline of its own", async () => {
    const ports = portsOf(pods, initial);
    expect(await checkRollback(ports, { ...check, reason: "not ready" })).toMatchObject({ kind: "roll" });
    expect(await rollPod(ports, step)).toMatchObject({ kind: "restored", reason: "evicted pod app-2" });
    expect(ports.cluster.get().inFlight).toEqual({ ...rollback, revertedAt: after(1) });
  });

  test("has no deadline while a budget refuses it", async () => {
    const ports = portsOf(pods, initial, refuse);
    expect(await rollPod(ports, step)).toMatchObject({ kind: "restored", waitSeconds: 60, reason: refusal });
    expect(ports.cluster.get().inFlight).toMatchObject({ revertedAt: noon, observation: { kind: "waiting" } });
    expect(await checkRollback(ports, { ...check, reason: "not ready" })).toMatchObject({ kind: "roll" });
    ports.pass(660);
    expect(await checkRollback(ports, { ...check, reason: "not ready" })).toMatchObject({ kind: "roll" });
    expect(ports.cluster.get().inFlight).toMatchObject({ observation: { kind: "waiting" } });
  });

  test.for([
    { what: "the mark of a canary of nodes", parts: {}, isLeft: false },
    { what: "no mark while a pod of the canary is left", parts: { ...superseded, isUpdated: false }, isLeft: true },
    { what: "no canary of another kind", parts: {}, isOnDelete: false, isLeft: true },
  ])("CheckRollback removes, once its claim is released, $what", async ({ parts, isOnDelete = true, isLeft }) => {
    const nodes = ["a", "b"].map((node) => pod(0, { name: `app-${node}`, node, ordinal: null, ...updated }));
    const rolled = { ...completeRollout, desiredReplicas: 2, podsPer: "node" as const };
    const rollout = isOnDelete ? { ...rolled, isOnDelete } : rolled;
    const marked = updatingWorkload({ isCanaryLeft: true, inFlight: null, image, canary: null, rollout });
    const ports = portsOf(
      nodes.map((one, index) => (index === 0 ? { ...one, ...parts } : one)),
      marked,
    );
    expect(await checkRollback(ports, { ...check, reason: "not ready" })).toMatchObject({ kind: "superseded" });
    expect(ports.cluster.get().isCanaryLeft).toBe(isLeft);
  });
});

test("CheckReadiness has the next pod replaced, and continues as new after 36 minutes", async () => {
  const ports = portsOf(old);
  expect(await checkReadiness(ports, check)).toEqual({ kind: "roll", waitSeconds: 0, reason: "pod app-2 is next" });
  ports.pass(35 * 60);
  expect(await checkReadiness(ports, check)).toMatchObject({ kind: "roll" });
  ports.pass(1);
  expect(await checkReadiness(ports, check)).toMatchObject({ kind: "continue" });
});

test("RecordSuccess names the frozen pods in the history", async () => {
  const pods = [pod(0, updated), pod(1, frozen), pod(2, updated)];
  const ports = portsOf(pods);
  expect(await checkReadiness(ports, check)).toMatchObject({ kind: "ready" });
  await recordSuccess(ports, step);
  const reason = "pod app-1 is frozen and keeps its revision";
  expect(ports.cluster.get().updateRecord.versionHistory.at(-1)).toMatchObject({ status: "Healthy", reason });
});
