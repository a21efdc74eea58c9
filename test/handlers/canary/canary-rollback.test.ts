import { describe, expect, test } from "vitest";
import { adoptUpdate } from "../../../functions/handlers/adopt-update.ts";
import { applyUpdate } from "../../../functions/handlers/apply-update.ts";
import { checkCanary } from "../../../functions/handlers/check-canary.ts";
import { killedAt } from "../../support/fake-ports.ts";
import {
  after,
  canaryInFlight,
  canaryPods,
  canaryWorkload,
  inFlight,
  target,
  updatingWorkload,
  workload,
} from "../../support/workloads.ts";
import { canaryStep, checkStep } from "./canary-steps.ts";
import { around, expectSelectable, writesNothing, revert } from "../steps.ts";

const next = { ...canaryStep, execution: "e-2", adopting: true };
const rollBackStep = { ...canaryStep, verdict: "fail", reason: "5 % errors" };

describe("AdoptUpdate", () => {
  test("of a canary whose execution was stopped returns abort, and records it", async () => {
    const ports = around(canaryWorkload());
    const result = await adoptUpdate(ports, { ...next, strategy: "abort" });
    expect(result).toMatchObject({ kind: "abort" });
    expect(ports.cluster.get()).toMatchObject({ verdict: "abort", inFlight: { execution: "e-2", phase: "canary" } });
    expectSelectable("AdoptUpdate", result);
  });

  test("of an unfinished abort continues it, in any execution", async () => {
    const ports = around(canaryWorkload());
    await adoptUpdate(ports, { ...next, strategy: "abort" });
    await adoptUpdate(ports, { ...next, execution: "e-3" });
    expect(await checkCanary(ports, { ...checkStep, execution: "e-3" })).toMatchObject({ kind: "expired" });
  });

  test("of a rolling update continues at the readiness check, with any strategy", async () => {
    expect(await adoptUpdate(around(updatingWorkload()), next)).toMatchObject({ kind: "adopted" });
  });
});

describe("ApplyUpdate", () => {
  test("promotes a canary, which serves on: all replicas, and a new start time", async () => {
    const ports = around(canaryWorkload({ verdict: "promote" }), { now: after(30) });
    const result = await applyUpdate(ports, canaryStep);
    expect(result).toMatchObject({ kind: "applied", waitSeconds: 15 });
    expect(ports.cluster.get()).toMatchObject({
      image: target,
      canary: { image: target },
      verdict: null,
      inFlight: { ...inFlight, startedAt: after(30) },
    });
    expect(ports.published).toMatchObject([{ type: "Canary Promoted", execution: "e-1", image: target }]);
    expectSelectable("ApplyUpdate", result);
  });

  test.for([
    { when: "unready", canary: { ...canaryPods, readyReplicas: 0 } },
    { when: "deleted", canary: null },
    { when: "without replicas", canary: { ...canaryPods, desiredReplicas: 0, updatedReplicas: 0, readyReplicas: 0 } },
  ])("does not promote a canary that is $when", async ({ canary }) => {
    const ports = around(canaryWorkload({ canary }), { atMoment: writesNothing });
    const result = await applyUpdate(ports, canaryStep);
    expect(result).toMatchObject({ kind: "not-ready", waitSeconds: 15, reason: expect.stringMatching(/./) });
    expectSelectable("ApplyUpdate", result);
  });

  test("killed after the promotion, it does not restart", async () => {
    const ports = around(canaryWorkload(), { now: after(30), atMoment: killedAt("before emitEvent") });
    await expect(applyUpdate(ports, canaryStep)).rejects.toMatchObject({ name: "Killed" });
    ports.pass(60);
    expect(await applyUpdate(ports, canaryStep)).toMatchObject({ kind: "applied" });
    expect(ports.cluster.get().inFlight).toEqual({ ...inFlight, startedAt: after(30), isApplied: true });
  });

  test("does not promote the claim of another execution, and does not overwrite a manual image", async () => {
    const unmarked = workload({ policy: { canary: { unit: "replicas", amount: 1 } } });
    const others = canaryWorkload({ inFlight: { ...canaryInFlight, execution: "e-2" } });
    for (const initial of [unmarked, others, canaryWorkload({ image: "app:hotfix" })]) {
      const result = await applyUpdate(around(initial, { atMoment: writesNothing }), canaryStep);
      expect(result).toMatchObject({ kind: "superseded" });
    }
  });
});

describe("RollBack", () => {
  test("of a manually changed workload removes the canary, keeps the image, and blames and counts nothing", async () => {
    const ports = around(canaryWorkload({ image: "app:hotfix" }));
    expect(await revert(ports, rollBackStep)).toMatchObject({ kind: "superseded" });
    expect(ports.cluster.get()).toMatchObject({
      image: "app:hotfix",
      canary: null,
      inFlight: null,
      updateRecord: { minimumVersion: "1.1.0", rollbackCount: 0, failedVersions: [], versionHistory: [] },
    });
    expect(ports.published).toEqual([]);
  });
});
