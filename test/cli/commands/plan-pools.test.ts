import { expect, test } from "vitest";
import { planPools } from "../../../cli/node-pools/plan.ts";
import { Forbidden, Unreachable } from "../../../functions/ports/errors.ts";
import type { Registry } from "../../../functions/ports/registry.ts";
import type { NodePoolSpec } from "../../../functions/domain/node-pool/pool/node-pool.ts";
import { cordoned, digestB, digestC, member, pool, slotted, staged, updated } from "../../domain/node-pool/pools.ts";
import { webPod } from "../../domain/node-pool/simulation/world.ts";
import { fakeNodePools, type FakeNodePoolsOptions } from "../../support/fakes/fake-node-pools.ts";
import { noon } from "../../support/workloads.ts";

const tag = "quay.io/example/myos:9";
const byTag = pool({ imageRef: tag }, { status: { targetRef: tag } });
const now = () => noon;

/** Every tag resolves to digest C. */
const registry: Registry = {
  listTags: async () => [],
  resolve: async () => ({ digest: digestC, manifests: [] }),
  digestsOf: async () => [],
  digestOf: async () => digestC,
};

function plan(options: Omit<FakeNodePoolsOptions, "now">) {
  const nodePools = fakeNodePools({ ...options, now });
  const warnings: string[] = [];
  return { nodePools, warnings, planned: planPools({ nodePools, registry, now }, (message) => warnings.push(message)) };
}

test("tags are resolved exactly as by a poll, and nothing is written", async () => {
  const { nodePools, planned } = plan({ pools: [byTag, pool({}, { name: "infra", uid: "pool-2" })] });
  expect((await planned).map(({ name, candidate }) => [name, candidate])).toEqual([
    ["infra", digestB],
    ["workers", digestC],
  ]);
  expect(nodePools.writes).toEqual([]);
  expect(nodePools.pool("workers")).toEqual(byTag);
});

test("the pods of nodes being drained are read", async () => {
  const { planned } = plan({ pools: [pool()], nodes: [member("w1", slotted, cordoned)], pods: { w1: [webPod] } });
  expect((await planned)[0]?.nodes).toMatchObject([{ node: "w1", next: { step: "evict" } }]);
});

test("pods that a drain loses or must not evict are named before, also on nodes that wait for a slot", async () => {
  const bare = { ...webPod, name: "debug", uid: "pod-2", controller: null };
  const cache = { ...webPod, name: "cache", uid: "pod-3", hasEmptyDir: true };
  const nodes = [member("w1", staged), member("w2", staged), member("w3", updated)];
  const pods = { w1: [webPod], w2: [bare, cache], w3: [bare] };
  const drains = async (spec: Partial<NodePoolSpec>) =>
    (await plan({ pools: [pool(spec)], nodes, pods }).planned)[0]?.nodes.map(({ node, drain }) => [node, drain]);
  expect(await drains({})).toEqual([
    ["w1", []],
    ["w2", ["shop/debug has no controller: nothing creates it again", "shop/cache has emptyDir data, which is lost"]],
  ]);
  expect(await drains({ drain: { force: false, deleteEmptyDirData: true } })).toEqual([
    ["w1", []],
    ["w2", ["shop/debug has no controller, and drain.force is false"]],
  ]);
});

test("if listing pods is forbidden, one line says that none are named", async () => {
  const pools = [pool(), pool({}, { name: "infra", uid: "pool-2" })];
  const nodePools = fakeNodePools({ pools, nodes: [member("w1", staged)], now });
  const warnings: string[] = [];
  const listPods = async () => Promise.reject(new Forbidden("list pods: 403"));
  const planned = await planPools({ nodePools: { ...nodePools, listPods }, registry, now }, (line) =>
    warnings.push(line),
  );
  expect(planned.find(({ name }) => name === "workers")?.nodes).toMatchObject([{ node: "w1", drain: [] }]);
  expect(warnings).toEqual(["pods that a drain loses are not named: list pods: 403"]);
});

test("forbidden pools are excluded, with one warning", async () => {
  const { planned, warnings } = plan({ atMoment: throwing(new Forbidden("list bootcnodepools: 403")) });
  expect(await planned).toEqual([]);
  expect(warnings).toEqual(["node pools excluded: list bootcnodepools: 403"]);
});

test("an unreachable cluster is an error, not a cluster without pools", async () => {
  await expect(plan({ atMoment: throwing(new Unreachable("no answer")) }).planned).rejects.toThrow("no answer");
});

function throwing(error: Error): () => never {
  return () => {
    throw error;
  };
}
