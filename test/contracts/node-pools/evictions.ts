import { expect, test } from "vitest";
import { eventually } from "../../support/control-plane/eventually.ts";
import { type At, look, patch } from "./bench.ts";
import { makeNode } from "./fixtures.ts";
import { makeBudget, makeDaemonSet, makePod, podsOf, podsPath, runningPod } from "./pod-lab.ts";

/** The pods of a node, and how they are asked to leave it. */
export function evictions(at: At): void {
  test("the pods of a node are its own, with what a drain has to know of them", async () => {
    await makeNode(at(), "w1");
    await makeNode(at(), "w2");
    const plain = await makePod(at(), "w1", "plain");
    await makePod(at(), "w2", "elsewhere");
    const annotations = { "kubernetes.io/config.mirror": "0123" };
    const mirror = await makePod(at(), "w1", "mirror", { annotations });
    await makeDaemonSet(at(), "w1");
    const agent = await runningPod(at(), "w1", ({ controller }) => controller !== null);
    const facts = { namespace: at().namespace, phase: "Running", isBeingDeleted: false };
    expect(plain).toEqual({ ...facts, name: "plain", uid: plain.uid, controller: null, isMirror: false });
    expect(mirror).toMatchObject({ ...facts, controller: null, isMirror: true });
    expect(agent).toMatchObject({ ...facts, controller: "DaemonSet", isMirror: false });
    const names = (await podsOf(at(), "w1")).map(({ name }) => name);
    expect(names.toSorted()).toEqual([agent.name, "mirror", "plain"].toSorted());
  });

  test("a node without pods, and one that is not there, have none", async () => {
    await makeNode(at());
    expect(await podsOf(at(), "w1")).toEqual([]);
    expect(await podsOf(at(), "w9")).toEqual([]);
  });

  test("a pod is evicted: it is being deleted, and then it is gone", async () => {
    await makeNode(at());
    const pod = await makePod(at(), "w1", "web", { finalizers: ["example.com/slow"] });
    expect(await at().pools.evict(pod)).toEqual({ kind: "evicted" });
    expect(await podsOf(at(), "w1")).toMatchObject([{ uid: pod.uid, isBeingDeleted: true }]);
    await patch(at(), `${podsPath(at())}/web`, { metadata: { finalizers: null } });
    await eventually("it is gone", async () => (await podsOf(at(), "w1")).length === 0);
    expect(await at().pools.evict(pod)).toEqual({ kind: "gone" });
  });

  test("another pod that has taken the name stays", async () => {
    await makeNode(at());
    const pod = await makePod(at(), "w1", "web");
    expect(await at().pools.evict({ ...pod, uid: "00000000-0000-0000-0000-000000000000" })).toEqual({ kind: "gone" });
    expect(await podsOf(at(), "w1")).toEqual([pod]);
  });

  test("a PodDisruptionBudget refuses, in its words, until it allows it", async () => {
    await makeNode(at());
    const pod = await makePod(at(), "w1", "web", { labels: { app: "web" } });
    const budget = await makeBudget(at(), "web", "web", 1);
    const refused = await at().pools.evict(pod);
    expect(refused).toEqual({ kind: "refused", reason: expect.stringMatching(/disruption budget/i) });
    expect(await podsOf(at(), "w1")).toEqual([pod]);
    await patch(at(), budget, { spec: { minAvailable: 0 } });
    await eventually("it is evicted", async () => (await at().pools.evict(pod)).kind === "evicted");
  });

  test("several PodDisruptionBudgets refuse", async () => {
    await makeNode(at());
    const pod = await makePod(at(), "w1", "web", { labels: { app: "web" } });
    await makeBudget(at(), "one", "web", 0);
    await makeBudget(at(), "two", "web", 0);
    expect(await at().pools.evict(pod)).toEqual({ kind: "refused", reason: expect.stringMatching(/budget/i) });
    expect(await look(at(), `${podsPath(at())}/web`)).not.toBeNull();
  });
}
