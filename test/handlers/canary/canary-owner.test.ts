import { describe, expect, test } from "vitest";
import { analyzeCanary } from "../../../functions/handlers/analyze-canary.ts";
import { applyUpdate } from "../../../functions/handlers/apply-update.ts";
import { checkCanary } from "../../../functions/handlers/check-canary.ts";
import { startCanary } from "../../../functions/handlers/start-canary.ts";
import { beginStep } from "../../../functions/domain/workload/canary/progress.ts";
import type { CanaryProgress } from "../../../functions/domain/workload/canary/canary-step.ts";
import {
  after,
  canaryInFlight,
  canaryPods,
  canaryWorkload,
  completeRollout,
  noon,
  policy,
  target,
} from "../../support/workloads.ts";
import { canaryStep, checkStep, errorRate, good } from "./canary-steps.ts";
import { around } from "../steps.ts";
import { problemsOf } from "../../support/problems.ts";

const known = { analyses: { "error-rate": errorRate }, measured: () => good };
const own = { ...policy, canary: { unit: "replicas", amount: 1 }, analysis: "error-rate" } as const;
const progress = { canaryProgress: beginStep(own, 1, noon) };

/** A canary that its owner has changed since. */
const changed = (parts: object) => around(canaryWorkload({ policy: own, ...progress, ...parts }), known);

describe("the pod template was changed", () => {
  const parts = { rollout: { ...completeRollout, isTemplateEdited: true } };

  test.for([
    { when: "ready", canary: canaryPods },
    { when: "not ready", canary: { ...canaryPods, readyReplicas: 0 } },
  ])("a canary that is $when and whose steps were removed is withdrawn", async ({ canary }) => {
    const ports = changed({ ...parts, canary, policy });
    expect(await checkCanary(ports, checkStep)).toMatchObject({ kind: "ready" });
    const result = await analyzeCanary(ports, checkStep);
    expect(result).toMatchObject({ kind: "withdraw", reason: expect.stringContaining("has no steps any more") });
  });

  test("one whose steps became invalid waits for their correction, and is then withdrawn", async () => {
    const ports = changed({ ...parts, policy, problems: problemsOf("pawl.dev/canary-steps: is bad") });
    expect(await analyzeCanary(ports, checkStep)).toMatchObject({ kind: "running", waitSeconds: 60 });
    ports.pass(900);
    expect(await analyzeCanary(ports, checkStep)).toMatchObject({
      kind: "withdraw",
      reason: expect.stringContaining("is bad"),
    });
  });
});

describe("the steps were changed", () => {
  const canaryProgress = { ...(beginStep(own, 1, noon) as CanaryProgress), plan: "1, 2" };
  const observation = { kind: "observed", at: noon, template: "t-1/1" } as const;
  const rollout = { ...completeRollout, template: "t-1" };
  const unready = { ...canaryPods, readyReplicas: 0 };

  test.for([
    { when: "ready for the first time", canary: canaryPods, progress: canaryProgress },
    { when: "not ready", canary: unready, progress: canaryProgress },
    { when: "not ready any more", canary: unready, progress: { ...canaryProgress, waitsFor: "Analysis" } as const },
  ])("a canary that is $when begins again, with the whole health timeout", async ({ canary, progress: recorded }) => {
    const inFlight = { ...canaryInFlight, observation };
    const ports = changed({ rollout, canary, canaryProgress: recorded, inFlight });
    ports.pass(own.healthTimeoutSeconds + 1);
    expect(await checkCanary(ports, checkStep)).toMatchObject({ kind: "ready" });
    const result = await analyzeCanary(ports, checkStep);
    expect(result).toMatchObject({ kind: "next", reason: expect.stringContaining("steps were changed") });
    expect(await startCanary(ports, canaryStep)).toMatchObject({ kind: "started" });
    expect(ports.cluster.get().canaryProgress).toMatchObject({ step: 1, plan: "1", waitsFor: "Replicas" });
    ports.cluster.put({ ...ports.cluster.get(), rollout, canary: unready, inFlight });
    expect(await checkCanary(ports, checkStep)).toMatchObject({ kind: "progressing" });
    ports.pass(own.healthTimeoutSeconds + 1);
    expect(await checkCanary(ports, checkStep)).toMatchObject({ kind: "expired" });
  });
});

test("its owner has paused it: nothing is measured, promoted or withdrawn, and then it is measured from the beginning", async () => {
  const ports = changed({});
  const before = await analyzeCanary(ports, checkStep);
  expect(before).toMatchObject({ kind: "running" });
  const workload = ports.cluster.get();
  const paused = around({ ...workload, rollout: { ...completeRollout, isPaused: true } }, known);
  expect(await analyzeCanary(paused, checkStep)).toMatchObject({ kind: "running", waitSeconds: 60 });
  paused.pass(100_000);
  expect(await analyzeCanary(paused, checkStep)).toMatchObject({ reason: expect.stringContaining("paused") });
  expect(paused.cluster.get().analysis?.pause?.reason).toBe("Waiting");
  expect(await applyUpdate(paused, canaryStep)).toMatchObject({ kind: "not-ready" });

  const resumed = around({ ...paused.cluster.get(), rollout: completeRollout }, known);
  expect(await analyzeCanary(resumed, checkStep)).toMatchObject({ kind: "running" });
  expect(resumed.cluster.get().analysis).toMatchObject({ pause: null, measurements: { length: 1 } });
});

test("it was scaled: the canary gets its size again", async () => {
  const rollout = { ...completeRollout, desiredReplicas: 20 };
  const ports = changed({ rollout, canary: { ...canaryPods, partition: 4, desiredReplicas: 16, updatedReplicas: 16 } });
  expect(await analyzeCanary(ports, checkStep)).toMatchObject({
    kind: "next",
    reason: expect.stringContaining("19 of them"),
  });
  expect(await startCanary(ports, canaryStep)).toMatchObject({
    kind: "started",
    reason: "the canary is at step 1/1 (1 replica)",
  });
});

describe("pods that become stable again", () => {
  const three = { ...policy, canary: { unit: "replicas", amount: 1 }, analysis: "error-rate" } as const;
  const surplus = { ...canaryPods, partition: 4, desiredReplicas: 1, updatedReplicas: 3, readyReplicas: 3 };
  const returning = (readyReplicas: number) => ({
    rollout: { ...completeRollout, desiredReplicas: 5, readyReplicas },
    canary: surplus,
  });

  /** Lets time pass in which the replica does not become available. */
  function stay(ports: ReturnType<typeof changed>, seconds: number): void {
    ports.pass(seconds);
    ports.cluster.put({ ...ports.cluster.get(), ...returning(4) });
  }

  test("one that is not available for the health timeout withdraws the canary", async () => {
    const ports = changed(returning(4));
    expect(await analyzeCanary(ports, checkStep)).toMatchObject({ kind: "running", waitSeconds: 60 });
    stay(ports, three.healthTimeoutSeconds);
    expect(await analyzeCanary(ports, checkStep)).toMatchObject({ kind: "running" });
    stay(ports, 1);
    expect(await analyzeCanary(ports, checkStep)).toMatchObject({
      kind: "withdraw",
      reason: expect.stringContaining("waits until all others are available"),
    });
  });

  test("each of them has its own health timeout", async () => {
    const ports = changed(returning(4));
    await analyzeCanary(ports, checkStep);
    ports.pass(three.healthTimeoutSeconds);
    ports.cluster.put({ ...ports.cluster.get(), ...returning(5) });
    expect(await analyzeCanary(ports, checkStep)).toMatchObject({ kind: "next" });
    stay(ports, three.healthTimeoutSeconds);
    expect(await analyzeCanary(ports, checkStep)).toMatchObject({ kind: "running" });
  });
});

test("a canary without a pod, because a stable one is stuck, is promoted by a person, and the stuck one is deleted, also if that is repeated", async () => {
  const canary = { ...canaryPods, partition: 2, updatedReplicas: 0, readyReplicas: 0 };
  const request = { verb: "promote", argument: "full", token: "t-1" };
  const stuck = canaryWorkload({
    canary,
    verdict: "promote",
    request,
    rollout: { ...completeRollout, readyReplicas: 1 },
  });
  const ports = around(stuck, { now: after(5) });
  expect(await checkCanary(ports, checkStep)).toMatchObject({ kind: "promoted" });
  expect(await applyUpdate(ports, checkStep)).toMatchObject({ kind: "applied" });
  expect(ports.cluster.get()).toMatchObject({ image: target, canary: null, inFlight: { phase: "rollout" } });
  expect(ports.cluster.stuckPodDeletions).toEqual([after(5)]);
  ports.pass(60);
  expect(await applyUpdate(ports, checkStep)).toMatchObject({ kind: "applied" });
  expect(ports.cluster.stuckPodDeletions).toEqual([after(5), after(5)]);
});
