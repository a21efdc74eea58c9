import { describe, expect, test } from "vitest";
import { adoptUpdate } from "../../../functions/handlers/adopt-update.ts";
import { applyUpdate } from "../../../functions/handlers/apply-update.ts";
import { checkCanary } from "../../../functions/handlers/check-canary.ts";
import { continueAsNew } from "../../../functions/handlers/continue-as-new.ts";
import { killedAt } from "../../support/fake-ports.ts";
import {
  after,
  canaryInFlight,
  canaryPods,
  canaryWorkload,
  image,
  inFlight,
  noon,
  target,
  updatingWorkload,
  workload,
} from "../../support/workloads.ts";
import { canaryStep, checkStep } from "./canary-steps.ts";
import { around, expectSelectable, writesNothing, revert } from "../steps.ts";

const next = { ...canaryStep, execution: "e-2", adopting: true };
const rollBackStep = { ...canaryStep, verdict: "fail", reason: "5 % errors" };

describe("AdoptUpdate", () => {
  test("takes over a canary, and continues at the canary", async () => {
    const ports = around(canaryWorkload());
    const result = await adoptUpdate(ports, next);
    expect(result).toMatchObject({ kind: "canary" });
    expect(ports.cluster.get()).toMatchObject({ image, inFlight: { ...canaryInFlight, execution: "e-2" } });
    expectSelectable("AdoptUpdate", result);
  });

  test("creates a canary that was claimed but not created", async () => {
    const ports = around(canaryWorkload({ canary: null }));
    expect(await adoptUpdate(ports, next)).toMatchObject({ kind: "canary" });
    expect(await checkCanary(ports, { ...checkStep, execution: "e-2" })).toMatchObject({ kind: "ready" });
  });

  test("repeated, it writes nothing", async () => {
    const initial = canaryWorkload({ inFlight: { ...canaryInFlight, execution: "e-2" } });
    const ports = around(initial);
    expect(await adoptUpdate(ports, next)).toMatchObject({ kind: "canary" });
    expect(ports.cluster.get()).toEqual(initial);
  });

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

  test.for([
    { canary: canaryPods, result: "the canary is promoted" },
    { canary: null, result: "the canary is promoted, although it is not ready: the canary does not exist" },
  ])("promotes any canary that a person promotes: $result", async ({ canary, result }) => {
    const request = { verb: "promote", argument: null, token: "t-1" };
    const ports = around(canaryWorkload({ canary, verdict: "promote", request }));
    expect(await applyUpdate(ports, canaryStep)).toMatchObject({ kind: "applied" });
    expect(ports.cluster.get()).toMatchObject({ image: target, lastRequest: { token: "t-1", result } });
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
  const blamed = {
    failedVersions: ["1.1.0"],
    versionHistory: [{ version: "1.1.0", appliedAt: noon, status: "RolledBack" }],
  };

  test("deletes a canary and counts the rollback", async () => {
    const ports = around(canaryWorkload());
    expect(await revert(ports, rollBackStep)).toMatchObject({ kind: "rolled-back" });
    expect(ports.cluster.get()).toMatchObject({
      image,
      canary: null,
      inFlight: null,
      updateRecord: { ...blamed, rollbackCount: 1 },
    });
    expect(ports.cluster.stuckPodDeletions).toHaveLength(1);
  });

  test("of a StatefulSet canary restores its template", async () => {
    const ref = { ...canaryWorkload().ref, kind: "StatefulSet" };
    const ports = around(canaryWorkload({ ref, image: target }));
    expect(await revert(ports, { ...rollBackStep, workload: ref })).toMatchObject({ kind: "rolled-back" });
    expect(ports.cluster.get()).toMatchObject({ image, canary: null, inFlight: null });
  });

  test.for([
    { when: "manually", verdict: "expired", parts: { verdict: "abort" } },
    { when: "by stopping its execution", verdict: "abort", parts: {} },
  ] as const)(
    "of a canary that was aborted $when blames the version and does not count it",
    async ({ verdict, parts }) => {
      const initial = canaryWorkload({ ...parts, policy: { maxRollbacks: 1 } });
      const ports = around(initial);
      expect(await revert(ports, { ...rollBackStep, verdict })).toMatchObject({ kind: "rolled-back" });
      expect(ports.cluster.get()).toMatchObject({
        canary: null,
        inFlight: null,
        verdict: null,
        updateRecord: { ...blamed, rollbackCount: 0, circuitOpen: false },
      });
    },
  );

  test("of the last allowed failure trips the circuit", async () => {
    const ports = around(canaryWorkload({ policy: { maxRollbacks: 1 } }));
    expect(await revert(ports, rollBackStep)).toMatchObject({ kind: "circuit-tripped" });
  });

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

  test("of a manually changed workload whose claim another execution holds writes nothing", async () => {
    const others = canaryWorkload({ image: "app:hotfix", inFlight: { ...canaryInFlight, execution: "e-2" } });
    const ports = around(others, { atMoment: writesNothing });
    expect(await revert(ports, rollBackStep)).toMatchObject({ kind: "superseded" });
  });
});

test("ContinueAsNew of a canary starts an execution that continues at the canary", async () => {
  const ports = around(canaryWorkload());
  await continueAsNew(ports, canaryStep);
  const [started] = ports.executions.started;
  expect(started?.input).toMatchObject({ strategy: "canary", adopting: true });
  const adopting = { ...canaryStep, adopting: true, execution: started?.name ?? "" };
  expect(await adoptUpdate(ports, adopting)).toMatchObject({ kind: "canary" });
  expect(await checkCanary(ports, { ...checkStep, execution: adopting.execution })).toMatchObject({ kind: "ready" });
  expect(await checkCanary(ports, checkStep)).toMatchObject({ kind: "superseded" });
});
