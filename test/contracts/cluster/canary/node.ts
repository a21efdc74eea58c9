import { beforeEach, expect, test } from "vitest";
import { withdrawalChange } from "../../../../functions/domain/workload/update/claim.ts";
import { supersede as supersedeUpdate } from "../../../../functions/domain/workload/supersede/fix-forward.ts";
import type { CanaryUpdate } from "../../../../functions/domain/workload/update/in-flight.ts";
import { nextLeftPod } from "../../../../functions/domain/workload/on-delete/next-pod.ts";
import type { Rollout, WorkloadRef } from "../../../../functions/domain/workload/workload.ts";
import { before, manifest, target } from "../../cluster-fixtures.ts";
import { autoUpdatePath } from "../auto-update/harness.ts";
import { annotationsOf, type At, change, createObject, getObject, patchObject, read } from "../harness.ts";
import { next, type Step, supersede } from "../steps.ts";
import { claimCanary, eventually, promote, revert } from "./harness.ts";

const mark = "pawl.dev/canary-partition";
const strategic = { contentType: "application/strategic-merge-patch+json" };

/** Tests the canary of a DaemonSet, whose pods the tests evict as the step RollPod does. */
export function testNodeCanary(at: At): void {
  let ref: WorkloadRef;

  beforeEach(async () => {
    const template = { metadata: { labels: { app: "app" } }, spec: { containers: [{ name: "app", image: before }] } };
    const spec = { updateStrategy: { type: "OnDelete" }, template };
    ref = await createObject(
      at(),
      "DaemonSet",
      manifest("DaemonSet", { annotations: { "pawl.dev/canary": "1" }, spec }),
    );
    await eventually(async () => {
      const { rollout } = await read(at(), ref);
      expect(rollout?.readyReplicas).toBeGreaterThan(1);
      expect(rollout?.readyReplicas).toBe(rollout?.desiredReplicas);
    });
    await change(at(), ref, claimCanary());
  });

  /** Returns the pods by the names of their nodes, once their controller has observed the template. */
  async function podsOf() {
    return eventually(async () => {
      const workload = await read(at(), ref);
      const { generation, observedGeneration, desiredReplicas } = workload.rollout as Rollout;
      expect(observedGeneration).toBe(generation);
      const pods = await at().cluster.listPods(workload);
      expect(pods.map(({ availableAt, isTerminating }) => availableAt !== null && !isTerminating)).toEqual(
        Array.from({ length: desiredReplicas }, () => true),
      );
      return pods.toSorted((one, other) => `${one.node}`.localeCompare(`${other.node}`));
    });
  }

  async function evictFirst() {
    const [pod] = await podsOf();
    if (pod === undefined) throw new Error("no pod");
    expect(pod).toMatchObject({ isUpdated: false, isSuperseded: false, node: expect.any(String) });
    expect(await at().cluster.evictPod(await read(at(), ref), pod)).toEqual({ kind: "evicted" });
    const complete = { desiredReplicas: 1, updatedReplicas: 1, readyReplicas: 1, oldReplicas: 0 };
    await eventually(async () => expect((await read(at(), ref)).canary).toMatchObject(complete));
    return pod;
  }

  async function setImage(image: string) {
    await patchObject(at(), ref, { spec: { template: { spec: { containers: [{ name: "app", image }] } } } }, strategic);
  }

  test("has no pod until one is evicted, and its pods are recognized by their names", async () => {
    await podsOf();
    const { canary: empty, rollout } = await read(at(), ref);
    const partition = (rollout?.desiredReplicas ?? 0) - 1;
    expect(empty).toMatchObject({ image: target, desiredReplicas: 1, updatedReplicas: 0, partition });
    expect(annotationsOf(await getObject(at(), ref))).toMatchObject({ [mark]: `1 ${before} ${target}` });
    const evicted = await evictFirst();
    const { canaryNames } = await read(at(), ref);
    const pods = await podsOf();
    const { canaryPods = "", stablePods = "", canary, stable, canarySelector } = canaryNames;
    const matching = (pattern: string) => pods.filter(({ name }) => new RegExp(pattern).test(name));
    expect(matching(canaryPods)).toEqual(pods.filter(({ isUpdated }) => isUpdated));
    expect(matching(canaryPods).map(({ node }) => node)).toEqual([evicted.node]);
    expect(matching(stablePods)).toEqual(pods.filter(({ isUpdated }) => !isUpdated));
    expect(canarySelector).toBe(`app=app,controller-revision-hash=${canary}`);
    expect(stable).not.toBe(canary);
  });

  test("promoted, it leaves no mark", async () => {
    await evictFirst();
    const { image: runs, canary } = await change(at(), ref, promote);
    expect({ runs, canary }).toEqual({ runs: target, canary: null });
    expect(annotationsOf(await getObject(at(), ref))).not.toHaveProperty(mark);
  });

  const withdraw: Step = (workload) => withdrawalChange(workload, "e-1") ?? {};
  const cleanUp: Step = () => ({ canary: null });
  const deleteRecord = () => at().request("DELETE", autoUpdatePath(ref));

  test.for([
    { when: "its AutoUpdate was deleted", act: deleteRecord, step: cleanUp, image: before },
    { when: "a person pushed the version before", act: null, step: supersede, image: before },
    { when: "a person set the image before", act: () => setImage(before), step: withdraw, image: before },
    { when: "a person set another image", act: () => setImage(next), step: withdraw, image: next },
    {
      when: "its AutoUpdate was deleted, and a person set another image",
      act: async () => {
        await deleteRecord();
        await setImage(next);
      },
      step: null,
      image: next,
    },
    {
      when: "its rollback had begun, its AutoUpdate was deleted, and a person set another image",
      act: async () => {
        await change(at(), ref, revert);
        await podsOf();
        await deleteRecord();
        await setImage(next);
      },
      step: null,
      image: next,
    },
  ])("left without an update, its pods are found, and only these: $when", async ({ act, step, image }) => {
    const evicted = await evictFirst();
    await act?.();
    if (step !== null) await change(at(), ref, step);
    expect(await read(at(), ref)).toMatchObject({ isCanaryLeft: true, inFlight: null, image });
    const isRestored = image === before;
    const pods = await podsOf();
    expect(pods.map(({ isSuperseded }) => isSuperseded)).toEqual(pods.map(({ node }) => node === evicted.node));
    expect(pods.map(({ isUpdated }) => isUpdated)).toEqual(pods.map(({ node }) => isRestored && node !== evicted.node));
    if (act !== deleteRecord && image === before) return;
    const workload = await read(at(), ref);
    const found = nextLeftPod(pods, workload.rollout as Rollout, 0, new Date());
    if (found.kind !== "evict") throw new Error(found.kind);
    expect(found.pod.node).toBe(evicted.node);
    expect(await at().cluster.evictPod(workload, found.pod)).toEqual({ kind: "evicted" });
    await eventually(async () => expect((await podsOf()).some(({ isSuperseded }) => isSuperseded)).toBe(false));
    expect(await change(at(), ref, cleanUp)).toMatchObject({ isCanaryLeft: false, image });
    expect(annotationsOf(await getObject(at(), ref))).not.toHaveProperty(mark);
  });

  test("reverted, its pods are found while its rollback replaces them, and if its AutoUpdate is deleted then", async () => {
    const { node } = await evictFirst();
    const reverted = await change(at(), ref, revert);
    expect(reverted).toMatchObject({
      image: before,
      canary: null,
      isCanaryLeft: false,
      inFlight: { phase: "rollback" },
    });
    await deleteRecord();
    const left = await read(at(), ref);
    expect(left).toMatchObject({ image: before, isCanaryLeft: true, inFlight: null });
    const found = nextLeftPod(await podsOf(), left.rollout as Rollout, 0, new Date());
    if (found.kind !== "evict") throw new Error(found.kind);
    expect(found.pod.node).toBe(node);
    expect(await at().cluster.evictPod(left, found.pod)).toEqual({ kind: "evicted" });
    await eventually(async () => expect((await podsOf()).every(({ isUpdated }) => isUpdated)).toBe(true));
    expect(await change(at(), ref, cleanUp)).toMatchObject({ image: before, isCanaryLeft: false });
    expect(annotationsOf(await getObject(at(), ref))).not.toHaveProperty(mark);
  });

  test("superseded by a newer version, its pods are neither stable nor of the canary, and the image before both is restored", async () => {
    await evictFirst();
    await change(at(), ref, (workload) => {
      const started = claimCanary(next, "e-2")({ ...workload, image: before, inFlight: null });
      return supersedeUpdate(workload, workload.inFlight as CanaryUpdate, started as never, [], new Date());
    });
    const pods = await podsOf();
    expect(pods.map(({ isUpdated, isSuperseded }) => [isUpdated, isSuperseded])).toEqual(
      pods.map((_, index) => [false, index === 0]),
    );
    const { stablePods = "" } = (await read(at(), ref)).canaryNames;
    expect(pods.map(({ name }) => new RegExp(stablePods).test(name))).toEqual(pods.map((_, index) => index > 0));
    await deleteRecord();
    expect(await change(at(), ref, cleanUp)).toMatchObject({ isCanaryLeft: true, image: before });
  });
}
