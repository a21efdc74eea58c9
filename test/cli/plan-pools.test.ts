import { expect, test } from "vitest";
import { planPools } from "../../cli/pools/plan.ts";
import { Forbidden, Unreachable } from "../../functions/adapters/errors.ts";
import type { Registry } from "../../functions/ports/registry.ts";
import { cordoned, digestB, digestC, member, pool, slotted } from "../domain/node-pool/pools.ts";
import { web } from "../domain/node-pool/simulation/world.ts";
import { fakeNodePools, type FakeNodePoolsOptions } from "../support/fake-node-pools.ts";
import { noon } from "../support/workloads.ts";

const tag = "quay.io/example/myos:9";
const byTag = pool({ imageRef: tag }, { status: { targetRef: tag } });
const now = () => noon;

/** Every tag stands for digest C. */
const registry: Registry = { listTags: async () => [], digestsOf: async () => [], digestOf: async () => digestC };

function plan(of: Omit<FakeNodePoolsOptions, "now">) {
  const nodePools = fakeNodePools({ ...of, now });
  const told: string[] = [];
  return { nodePools, told, planned: planPools({ nodePools, registry, now }, (message) => told.push(message)) };
}

test("a registry is asked where a poll would ask it, and nothing is written", async () => {
  const { nodePools, planned } = plan({ pools: [byTag, pool({}, { name: "infra", uid: "pool-2" })] });
  expect((await planned).map(({ name, candidate }) => [name, candidate])).toEqual([
    ["infra", digestB],
    ["workers", digestC],
  ]);
  expect(nodePools.writes).toEqual([]);
  expect(nodePools.pool("workers")).toEqual(byTag);
});

test("the pods of nodes that are drained are read", async () => {
  const { planned } = plan({ pools: [pool()], nodes: [member("w1", slotted, cordoned)], pods: { w1: [web] } });
  expect((await planned)[0]?.nodes).toMatchObject([{ node: "w1", next: { step: "evict" } }]);
});

test("pools that may not be looked at are left out, which is said once", async () => {
  const { planned, told } = plan({ atMoment: throwing(new Forbidden("list bootcnodepools: 403")) });
  expect(await planned).toEqual([]);
  expect(told).toEqual(["node pools are left out: list bootcnodepools: 403"]);
});

test("a cluster that does not answer is not taken for one without pools", async () => {
  await expect(plan({ atMoment: throwing(new Unreachable("no answer")) }).planned).rejects.toThrow("no answer");
});

function throwing(error: Error): () => never {
  return () => {
    throw error;
  };
}
