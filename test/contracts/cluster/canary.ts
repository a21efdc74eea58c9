import { expect, test } from "vitest";
import { measure, startAnalysis } from "../../../functions/domain/analysis/measure.ts";
import { unmeasured } from "../../../functions/domain/analysis/judge.ts";
import { before, target } from "../cluster-fixtures.ts";
import { annotationsOf, change, getObject, createWorkload, read, patchObject, type At } from "./harness.ts";
import {
  revert,
  badTarget,
  claimCanary,
  getCanaryDeployment,
  type CanaryKind,
  eventually,
  imagesOf,
  createRunning,
  partitionOf,
  promote,
  waitForAllReplicas,
  waitForCanary,
} from "./canary-harness.ts";
import { later, rolledBack, succeed } from "./steps.ts";

const inFlightAnnotation = /pawl\.dev\/(?:target-image|update-|execution|previous-image|rolling-back|canary-)/;

/** Tests a canary of a kind with pods, from its claim to its promotion or rollback. */
export function testCanary(at: At, kind: CanaryKind): void {
  const isSet = kind === "StatefulSet";

  test("a claimed canary runs next to the other replicas and is read back", async () => {
    const ref = await createRunning(at, kind);
    const claimed = await change(at(), ref, claimCanary());
    expect(claimed.inFlight).toMatchObject({ phase: "canary", targetImage: target, previousImage: before });
    expect(annotationsOf(await getObject(at(), ref))).toMatchObject({
      "pawl.dev/target-image": target,
      "pawl.dev/update-phase": "Canary",
      "pawl.dev/execution": "e-1",
      "pawl.dev/previous-image": before,
      ...(isSet ? {} : { "pawl.dev/canary-name": "app-canary" }),
    });
    await waitForCanary(at(), ref);
    // The highest ordinal of a StatefulSet, or an additional pod of a Deployment.
    const all = await imagesOf(at());
    expect(isSet ? all : all.toSorted()).toEqual([before, before, ...(isSet ? [] : [before]), target]);
    const { canaryNames, image, problems } = await read(at(), ref);
    expect(image).toBe(isSet ? target : before);
    expect(problems).toEqual([]);
    expect(canaryNames).toEqual({
      stable: expect.stringMatching(isSet ? /^app-\w+$/ : /^app$/),
      canary: expect.stringMatching(isSet ? /^app-\w+$/ : /^app-canary$/),
    });
    expect(canaryNames.canary).not.toBe(canaryNames.stable);
  });

  test("a promoted canary updates all replicas and leaves nothing", async () => {
    const ref = await createRunning(at, kind);
    await change(at(), ref, claimCanary());
    await waitForCanary(at(), ref);
    const promoted = await change(at(), ref, promote);
    expect(promoted).toMatchObject({ image: target, canary: null, inFlight: { phase: "rollout", startedAt: later } });
    await waitForAllReplicas(at(), ref, target);
    await expectNothingLeft(ref, await change(at(), ref, succeed));
  });

  test("a rolled back canary leaves the other replicas unchanged, and nothing else", async () => {
    const ref = await createRunning(at, kind);
    await change(at(), ref, claimCanary());
    await waitForCanary(at(), ref);
    expect(await change(at(), ref, revert)).toMatchObject({ image: before, inFlight: { phase: "rollback" } });
    await expectNothingLeft(ref, await change(at(), ref, rolledBack));
    await waitForAllReplicas(at(), ref, before);
  });

  test("a canary that never becomes ready is rolled back", async () => {
    const ref = await createRunning(at, kind);
    await change(at(), ref, claimCanary(badTarget));
    await eventually(async () => expect(await imagesOf(at())).toContain(badTarget));
    const reverted = await change(at(), ref, revert);
    await at().cluster.deleteStuckPods(reverted, badTarget);
    await waitForAllReplicas(at(), ref, before);
    await expectNothingLeft(ref, await change(at(), ref, rolledBack));
  });

  test("a rollback after the promotion reverts all replicas", async () => {
    const ref = await createRunning(at, kind);
    await change(at(), ref, claimCanary());
    await waitForCanary(at(), ref);
    await change(at(), ref, promote);
    await waitForAllReplicas(at(), ref, target);
    await change(at(), ref, revert);
    await expectNothingLeft(ref, await change(at(), ref, rolledBack));
    await waitForAllReplicas(at(), ref, before);
    expect(await imagesOf(at())).not.toContain(target);
  });

  test("each step can be repeated", async () => {
    const ref = await createRunning(at, kind);
    await change(at(), ref, claimCanary());
    const created = await getCanaryDeployment(at(), ref);
    await change(at(), ref, claimCanary());
    expect((await getCanaryDeployment(at(), ref))?.uid).toBe(created?.uid);
    await waitForCanary(at(), ref);
    for (const step of [promote, promote, revert, () => ({ canary: null })]) await change(at(), ref, step);
    await change(at(), ref, rolledBack);
    await expectNothingLeft(ref, await change(at(), ref, rolledBack));
    await waitForAllReplicas(at(), ref, before);
  });

  test("if a person sets another image, the canary is deleted and that image is rolled out", async () => {
    const ref = await createRunning(at, kind);
    await change(at(), ref, claimCanary());
    const hotfix = "registry.invalid:5000/shop/app:hotfix";
    const spec = { template: { spec: { containers: [{ name: "app", image: hotfix }] } } };
    await patchObject(at(), ref, { spec }, { contentType: "application/strategic-merge-patch+json" });
    await expectNothingLeft(ref, await change(at(), ref, () => ({ inFlight: null, canary: null })));
    await waitForAllReplicas(at(), ref, hotfix);
    expect((await read(at(), ref)).problems).toEqual([]);
  });

  async function expectNothingLeft(ref: Parameters<typeof getObject>[1], last: object): Promise<void> {
    expect(last).toMatchObject({ inFlight: null, canary: null, verdict: null });
    expect(
      Object.keys(annotationsOf(await getObject(at(), ref))).filter((key) => inFlightAnnotation.test(key)),
    ).toEqual([]);
    expect(await partitionOf(at(), ref)).toBe(0);
    await eventually(async () => expect(await getCanaryDeployment(at(), ref)).toBeNull());
  }
}

/** Tests the state of a canary in the annotations of its workload. */
export function testCanaryState(at: At, kind: CanaryKind): void {
  const noon = new Date("2026-11-20T12:00:00Z");

  test("the state of an analysis is written, read back and removed", async () => {
    const ref = await createWorkload(at(), kind);
    const first = measure(startAnalysis(noon), "error-rate", { verdict: "pass", value: 0.002, note: null }, later);
    const analysis = measure(first, "latency", unmeasured("Unreachable: no answer"), later);
    expect((await change(at(), ref, () => ({ analysis }))).analysis).toEqual(analysis);
    expect((await change(at(), ref, () => ({ paused: true }))).analysis).toEqual(analysis);
    expect((await change(at(), ref, () => ({ analysis: null }))).analysis).toBeNull();
    await patchObject(at(), ref, { metadata: { annotations: { "pawl.dev/analysis": "{" } } });
    expect((await read(at(), ref)).analysis).toBeNull();
  });

  test("a manual verdict is read, and removed by the next claim", async () => {
    const ref = await createWorkload(at(), kind, { spec: { replicas: 3 } });
    for (const verdict of ["promote", "abort", null] as const) {
      expect((await change(at(), ref, () => ({ verdict }))).verdict).toBe(verdict);
    }
    const annotations = { "pawl.dev/canary-verdict": "maybe" };
    await patchObject(at(), ref, { metadata: { annotations } });
    expect((await read(at(), ref)).verdict).toBeNull();
    await change(at(), ref, claimCanary());
    expect(annotationsOf(await getObject(at(), ref))).not.toHaveProperty("pawl.dev/canary-verdict");
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
