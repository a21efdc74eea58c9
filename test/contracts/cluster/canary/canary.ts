import { expect, test } from "vitest";
import { before, target, updateTarget } from "../../cluster-fixtures.ts";
import { statusOf } from "../auto-update/harness.ts";
import { annotationsOf, change, getObject, read, patchObject, type At } from "../harness.ts";
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
  podsOf,
  one,
  promote,
  waitForAllReplicas,
  waitForCanary,
  waitForPromotion,
} from "./harness.ts";
import { later, rolledBack, succeed, supersede } from "../steps.ts";

/** Tests a canary of a kind with pods, from its claim to its promotion or rollback. */
export function testCanary(at: At, kind: CanaryKind): void {
  const isSet = kind === "StatefulSet";

  test("a claimed canary runs next to the other replicas and is read back", async () => {
    const ref = await createRunning(at, kind);
    const claimed = await change(at(), ref, claimCanary());
    expect(claimed.inFlight).toMatchObject({ phase: "canary", target: updateTarget, previousImage: before });
    expect((await statusOf(at(), ref)).update).toMatchObject({ phase: "Applied", strategy: "Canary", hasCanary: true });
    const marks = { "pawl.dev/execution": "e-1", "pawl.dev/canary-partition": "2", "pawl.dev/target-image": target };
    expect(annotationsOf(await getObject(at(), ref))).toMatchObject(isSet ? marks : { "pawl.dev/execution": "e-1" });
    await waitForCanary(at(), ref);
    // The highest ordinal of a StatefulSet, or an additional pod of a Deployment.
    const pods = await podsOf(at());
    const all = pods.map((pod) => pod.image);
    expect(isSet ? all : all.toSorted()).toEqual([before, before, ...(isSet ? [] : [before]), target]);
    const { canaryNames, image, problems } = await read(at(), ref);
    const { stablePods = "", canaryPods = "" } = canaryNames;
    for (const pod of pods) {
      expect([new RegExp(stablePods).test(pod.name), pod.image]).toEqual([pod.image === before, pod.image]);
      expect([new RegExp(canaryPods).test(pod.name), pod.image]).toEqual([pod.image === target, pod.image]);
    }
    expect(image).toBe(isSet ? target : before);
    expect(problems).toEqual([]);
    expect(canaryNames).toMatchObject({
      stable: expect.stringMatching(isSet ? /^app-\w+$/ : /^app$/),
      canary: expect.stringMatching(isSet ? /^app-\w+$/ : /^app-canary$/),
    });
    expect(canaryNames.canary).not.toBe(canaryNames.stable);
  });

  test("a promoted canary updates all replicas, serves beside them in an object of its own, and leaves nothing", async () => {
    const ref = await createRunning(at, kind);
    await change(at(), ref, claimCanary());
    await waitForCanary(at(), ref);
    const promoted = await change(at(), ref, promote);
    expect(promoted).toMatchObject({ image: target, inFlight: { phase: "rollout", startedAt: later } });
    expect(promoted.canary?.image).toBe(isSet ? undefined : target);
    await waitForPromotion(at(), ref);
    expect((await getCanaryDeployment(at(), ref)) !== null).toBe(!isSet);
    expect(await change(at(), ref, () => ({ canary: null }))).toMatchObject({ inFlight: { isApplied: true } });
    await waitForAllReplicas(at(), ref, target);
    expect((await read(at(), ref)).canary).toBeNull();
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

  test("a canary that a push ends leaves the other replicas unchanged, and nothing else", async () => {
    const ref = await createRunning(at, kind);
    await change(at(), ref, claimCanary());
    await waitForCanary(at(), ref);
    const ended = await change(at(), ref, supersede);
    expect(ended).toMatchObject({ image: before, inFlight: null, updateRecord: { minimumVersion: "1.1.0" } });
    await expectNothingLeft(ref, ended);
    await waitForAllReplicas(at(), ref, before);
  });

  test("a canary that never becomes ready is rolled back", async () => {
    const ref = await createRunning(at, kind);
    await change(at(), ref, claimCanary(badTarget));
    await eventually(async () => expect(await imagesOf(at())).toContain(badTarget));
    const reverted = await change(at(), ref, revert);
    await eventually(async () => {
      await at().cluster.deleteStuckPods(reverted, null);
      expect(await imagesOf(at())).not.toContain(badTarget);
    });
    await waitForAllReplicas(at(), ref, before);
    await expectNothingLeft(ref, await change(at(), ref, rolledBack));
  });

  test("a rollback after the promotion reverts all replicas", async () => {
    const ref = await createRunning(at, kind);
    await change(at(), ref, claimCanary());
    await waitForCanary(at(), ref);
    await change(at(), ref, promote);
    await waitForPromotion(at(), ref);
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

  test("begins again with the pod template of its owner, if that was changed", async () => {
    const ref = await createRunning(at, kind);
    await change(at(), ref, claimCanary());
    await waitForCanary(at(), ref);
    expect((await read(at(), ref)).rollout).not.toHaveProperty("isTemplateEdited");
    const spec = { template: { metadata: { annotations: { edited: "yes" } } } };
    await patchObject(at(), ref, { spec }, { contentType: "application/strategic-merge-patch+json" });
    expect((await read(at(), ref)).rollout).toMatchObject({ isTemplateEdited: true });
    const restart = () => ({ canary: { image: target, size: one, isRestart: true } }) as const;
    await eventually(async () => void (await change(at(), ref, restart)));
    expect((await read(at(), ref)).rollout).not.toHaveProperty("isTemplateEdited");
    await waitForCanary(at(), ref);
    const pods = await podsOf(at());
    expect(pods.filter(({ image }) => image === target).map(({ annotations }) => annotations["edited"])).toEqual([
      "yes",
    ]);
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
    expect(await statusOf(at(), ref)).not.toHaveProperty("update");
    expect(annotationsOf(await getObject(at(), ref))).not.toHaveProperty("pawl.dev/canary-partition");
    expect(await partitionOf(at(), ref)).toBe(0);
    await eventually(async () => expect(await getCanaryDeployment(at(), ref)).toBeNull());
  }
}
