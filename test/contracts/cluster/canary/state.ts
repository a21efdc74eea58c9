import { expect, test } from "vitest";
import { measure, startAnalysis } from "../../../../functions/domain/analysis/measure.ts";
import { pauseAnalysis } from "../../../../functions/domain/analysis/pause.ts";
import { unmeasured } from "../../../../functions/domain/analysis/judge.ts";
import { target } from "../../cluster-fixtures.ts";
import type { WorkloadRef } from "../../../../functions/domain/workload/workload.ts";
import { autoUpdatePath, createAutoUpdate, patchStatus, statusOf, updateOf } from "../auto-update/harness.ts";
import { change, getObject, createWorkload, read, patchObject, type At } from "../harness.ts";
import {
  revert,
  claimCanary,
  getCanaryDeployment,
  type CanaryKind,
  eventually,
  createRunning,
  partitionOf,
  promote,
  waitForAllReplicas,
  waitForCanary,
  waitForPromotion,
} from "./harness.ts";
import { later, next, rolledBack } from "../steps.ts";

/** Tests the state of a canary in the status of its AutoUpdate. */
export function testCanaryState(at: At, kind: CanaryKind): void {
  const noon = new Date("2026-11-20T12:00:00Z");
  const withdrawRequest = (ref: WorkloadRef) =>
    patchObject(at(), ref, { metadata: { annotations: { "pawl.dev/canary": null } } });

  test("the state of an analysis is written, read back and removed", async () => {
    const ref = await createWorkload(at(), kind);
    const compared = { verdict: "pass", value: 0.002, note: null, baseline: 0.003 } as const;
    const first = measure(startAnalysis(noon), "error-rate", compared, later);
    const measured = measure(first, "latency", unmeasured("Unreachable: no answer"), later);
    const analysis = pauseAnalysis(measured, "NotReady", "0 of 1 replicas ready", later);
    expect((await change(at(), ref, () => ({ analysis }))).analysis).toEqual(analysis);
    expect((await change(at(), ref, () => ({ paused: true }))).analysis).toEqual(analysis);
    expect((await change(at(), ref, () => ({ analysis: measured }))).analysis).toEqual(measured);
    const at12 = "2026-11-20T12:00:00Z";
    const measurements = [{ metric: "latency", at: at12, verdict: "maybe" }];
    await patchStatus(at(), ref, { analysis: { startedAt: at12, metrics: [], measurements } });
    expect((await read(at(), ref)).analysis).toBeNull();
    expect((await change(at(), ref, () => ({ analysis: null }))).analysis).toBeNull();
    expect(await statusOf(at(), ref)).not.toHaveProperty("analysis");
  });

  test("the claim of an analysis does not expire before its next measurement", async () => {
    const ref = await createRunning(at, kind);
    await change(at(), ref, claimCanary());
    const expiry = async () => Date.parse((await statusOf(at(), ref)).update?.expiresAt ?? "");
    const before = await expiry();
    await change(at(), ref, () => ({ analysis: startAnalysis(noon), nextStepSeconds: 3600 }));
    expect((await expiry()) - before).toBeGreaterThanOrEqual(3_600_000);
  });

  test("a verdict is recorded with the claim, and ends with it", async () => {
    const ref = await createRunning(at, kind);
    await change(at(), ref, claimCanary());
    for (const verdict of ["promote", "abort", null] as const) {
      expect((await change(at(), ref, () => ({ verdict }))).verdict).toBe(verdict);
    }
    await change(at(), ref, () => ({ verdict: "abort" }));
    for (const step of [revert, rolledBack]) await change(at(), ref, step);
    expect((await read(at(), ref)).verdict).toBeNull();
    expect((await change(at(), ref, claimCanary(next, "e-2"))).verdict).toBeNull();
  });

  test("a claimed canary that was not created is created by its own execution", async () => {
    const ref = await createRunning(at, kind);
    const { metadata } = await getObject(at(), ref);
    await createAutoUpdate(at(), ref, {});
    const update = { phase: "Claimed", strategy: "Canary", targetGeneration: metadata?.generation ?? 1 } as const;
    await patchStatus(at(), ref, { update: updateOf(ref, { ...update, hasCanary: true }) });
    expect(await read(at(), ref)).toMatchObject({ canary: null, inFlight: { phase: "canary", isApplied: false } });
    expect((await change(at(), ref, claimCanary())).inFlight).toMatchObject({ phase: "canary", isApplied: true });
    await waitForCanary(at(), ref);
  });

  test("a claimed promotion that was not written is not applied, even if the workload was scaled since", async () => {
    const ref = await createRunning(at, kind);
    await change(at(), ref, claimCanary());
    await waitForCanary(at(), ref);
    const { update } = await statusOf(at(), ref);
    const { metadata } = await getObject(at(), ref);
    const targetGeneration = metadata?.generation ?? 1;
    await patchStatus(at(), ref, { update: { ...update, phase: "Claimed", strategy: "Rolling", targetGeneration } });
    await patchObject(at(), ref, { spec: { replicas: 4 } });
    expect((await read(at(), ref)).inFlight).toMatchObject({ phase: "rollout", isApplied: false });
    await patchObject(at(), ref, { spec: { replicas: 3 } });
    await change(at(), ref, promote);
    await waitForPromotion(at(), ref);
    await change(at(), ref, () => ({ canary: null }));
    await waitForAllReplicas(at(), ref, target);
    expect(await partitionOf(at(), ref)).toBe(0);
    await eventually(async () => expect(await getCanaryDeployment(at(), ref)).toBeNull());
  });

  test.for([
    { when: "", prepare: async (_ref: WorkloadRef) => undefined },
    { when: " and canaries are not requested any more", prepare: withdrawRequest },
    {
      when: ", canaries are not requested any more, and a poll recreated it",
      async prepare(ref: WorkloadRef) {
        await withdrawRequest(ref);
        await change(at(), ref, () => ({}));
      },
    },
  ])("a canary whose AutoUpdate was deleted is left$when, and can be removed", async ({ prepare }) => {
    const ref = await createRunning(at, kind);
    await change(at(), ref, claimCanary());
    await waitForCanary(at(), ref);
    await at().request("DELETE", autoUpdatePath(ref));
    await prepare(ref);
    expect(await read(at(), ref)).toMatchObject({ inFlight: null, isCanaryLeft: true, problems: [] });
    expect(await change(at(), ref, () => ({ canary: null }))).toMatchObject({ isCanaryLeft: false, problems: [] });
    expect(await partitionOf(at(), ref)).toBe(0);
    await eventually(async () => expect(await getCanaryDeployment(at(), ref)).toBeNull());
  });

  test("a canary that is left after opt-out is removed, and no AutoUpdate is created for that", async () => {
    const ref = await createRunning(at, kind);
    await change(at(), ref, claimCanary());
    await waitForCanary(at(), ref);
    await at().request("DELETE", autoUpdatePath(ref));
    await patchObject(at(), ref, { metadata: { annotations: { "pawl.dev/auto-update": "false" } } });
    expect(await change(at(), ref, () => ({ canary: null }))).toMatchObject({
      isCanaryLeft: false,
      record: { state: "missing" },
    });
  });

  test("an analysis is a ConfigMap in the workload's namespace", async () => {
    const workload = await read(at(), await createWorkload(at(), kind));
    const text = "interval: 1m\nmetrics: []\n";
    for (const [name, data] of [
      ["rate", { "analysis.yaml": text }],
      ["other", { "rate.yaml": text }],
    ] as const) {
      const body = { metadata: { name }, data };
      await at().request("POST", `/api/v1/namespaces/${at().namespace}/configmaps`, { body });
    }
    expect(await at().cluster.readAnalysis(workload, "rate")).toBe(text);
    expect(await at().cluster.readAnalysis(workload, "other")).toBeNull();
    expect(await at().cluster.readAnalysis(workload, "missing")).toBeNull();
  });
}
