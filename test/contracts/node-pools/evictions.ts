import { expect, test } from "vitest";
import { eventually } from "../../support/control-plane/eventually.ts";
import { type GetHarness, getObject, patch } from "./harness.ts";
import { createNode } from "./fixtures.ts";
import { createBudget, createDaemonSet, createPod, podsOf, podsPath, runningPod } from "./pod-harness.ts";

/** Pods of a node and their evictions. */
export function evictions(harness: GetHarness): void {
  test("lists only the pods of the node, with the fields that a drain needs", async () => {
    await createNode(harness(), "w1");
    await createNode(harness(), "w2");
    const plain = await createPod(harness(), "w1", "plain");
    const cache = await createPod(harness(), "w1", "cache", {}, { volumes: [{ name: "data", emptyDir: {} }] });
    await createPod(harness(), "w2", "elsewhere");
    const annotations = { "kubernetes.io/config.mirror": "0123" };
    const mirror = await createPod(harness(), "w1", "mirror", { annotations });
    await createDaemonSet(harness(), "w1");
    const agent = await runningPod(harness(), "w1", ({ controller }) => controller !== null);
    const facts = { namespace: harness().namespace, phase: "Running", isBeingDeleted: false };
    expect(plain).toEqual({
      ...facts,
      name: "plain",
      uid: plain.uid,
      controller: null,
      controllerName: null,
      isReady: true,
      isMirror: false,
      hasEmptyDir: false,
    });
    expect(cache).toMatchObject({ ...facts, controller: null, hasEmptyDir: true });
    expect(mirror).toMatchObject({ ...facts, controller: null, isMirror: true });
    expect(agent).toMatchObject({ ...facts, controller: "DaemonSet", controllerName: "agent", isMirror: false });
    const names = (await podsOf(harness(), "w1")).map(({ name }) => name);
    expect(names.toSorted()).toEqual([agent.name, "cache", "mirror", "plain"].toSorted());
  });

  test("a node without pods and a missing node have none", async () => {
    await createNode(harness());
    expect(await podsOf(harness(), "w1")).toEqual([]);
    expect(await podsOf(harness(), "w9")).toEqual([]);
  });

  test("an evicted pod is terminating, and then deleted", async () => {
    await createNode(harness());
    const pod = await createPod(harness(), "w1", "web", { finalizers: ["example.com/slow"] });
    expect(await harness().pools.evict(pod)).toEqual({ kind: "evicted" });
    expect(await podsOf(harness(), "w1")).toMatchObject([{ uid: pod.uid, isBeingDeleted: true }]);
    await patch(harness(), `${podsPath(harness())}/web`, { metadata: { finalizers: null } });
    await eventually("it was deleted", async () => (await podsOf(harness(), "w1")).length === 0);
    expect(await harness().pools.evict(pod)).toEqual({ kind: "not-found" });
  });

  test("a recreated pod of the same name is not evicted", async () => {
    await createNode(harness());
    const pod = await createPod(harness(), "w1", "web");
    expect(await harness().pools.evict({ ...pod, uid: "00000000-0000-0000-0000-000000000000" })).toEqual({
      kind: "not-found",
    });
    expect(await podsOf(harness(), "w1")).toEqual([pod]);
  });

  test("a PodDisruptionBudget blocks an eviction with its message until it allows it", async () => {
    await createNode(harness());
    const pod = await createPod(harness(), "w1", "web", { labels: { app: "web" } });
    const budget = await createBudget(harness(), "web", "web", 1);
    const eviction = await harness().pools.evict(pod);
    expect(eviction).toEqual({ kind: "refused", reason: expect.stringMatching(/disruption budget/i), isBudget: true });
    expect(await podsOf(harness(), "w1")).toEqual([pod]);
    await patch(harness(), budget, { spec: { minAvailable: 0 } });
    await eventually("it is evicted", async () => (await harness().pools.evict(pod)).kind === "evicted");
  });

  test("several PodDisruptionBudgets for one pod block its eviction, and not its deletion", async () => {
    await createNode(harness());
    const pod = await createPod(harness(), "w1", "web", { labels: { app: "web" } });
    await createBudget(harness(), "one", "web", 0);
    await createBudget(harness(), "two", "web", 0);
    expect(await harness().pools.evict(pod)).toMatchObject({ kind: "refused", isBudget: true });
    expect(await getObject(harness(), `${podsPath(harness())}/web`)).not.toBeNull();
    expect(await harness().pools.deletePod({ ...pod, uid: "00000000-0000-0000-0000-000000000000" })).toEqual({
      kind: "not-found",
    });
    expect(await podsOf(harness(), "w1")).toEqual([pod]);
    expect(await harness().pools.deletePod(pod)).toEqual({ kind: "evicted" });
    await eventually("it was deleted", async () => (await podsOf(harness(), "w1")).length === 0);
    expect(await harness().pools.deletePod(pod)).toEqual({ kind: "not-found" });
  });
}
