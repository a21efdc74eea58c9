import { describe, expect, test } from "vitest";
import { type PlannedPool, plannedPool } from "../../cli/pools/planned.ts";
import { planPools } from "../../cli/pools/plan.ts";
import { Forbidden, Unreachable } from "../../functions/adapters/errors.ts";
import type { Resolution } from "../../functions/domain/node-pool/target.ts";
import type { NodePool, PoolNode } from "../../functions/domain/node-pool/types.ts";
import type { Registry } from "../../functions/ports/registry.ts";
import {
  cordoned,
  digestA,
  digestB,
  digestC,
  fresh,
  imageB,
  member,
  pool,
  slotted,
  staged,
  staging,
  updated,
} from "../domain/node-pool/pools.ts";
import { web } from "../domain/node-pool/simulation/world.ts";
import { fakeNodePools } from "../support/fake-node-pools.ts";
import { noon } from "../support/workloads.ts";
import { lookAtOne } from "./look-at-pools.ts";

const tag = "quay.io/example/myos:9";
const byTag = pool({ imageRef: tag }, { status: { targetRef: tag } });
const unresolved = pool({ imageRef: tag }, { status: { targetRef: null, targetDigest: null } });
const rolling = [member("w1", updated), member("w2", staged), member("w3", staging)];

interface Case {
  readonly when: string;
  readonly of?: NodePool;
  readonly nodes?: readonly PoolNode[];
  readonly resolution?: Resolution;
  readonly planned: Partial<PlannedPool>;
}

describe("a plan tells of a pool", () => {
  test.for<Case>([
    {
      when: "with something to do",
      nodes: rolling,
      planned: {
        workload: "bootcnodepool/workers",
        kind: "BootcNodePool",
        namespace: null,
        current: digestA,
        candidate: digestB,
        decision: "update",
        hold: null,
        reason: "2 of 3 nodes are to change; w2 takes a slot",
        nodes: [
          { node: "w2", state: "staged", next: { step: "take-slot", what: "takes a slot" } },
          { node: "w3", state: "staging", next: { step: "wait", what: "its agent is staging" } },
        ],
      },
    },
    {
      when: "that several nodes of take slots",
      of: pool({ maxUnavailable: { unit: "nodes", amount: 2 } }),
      nodes: [member("w1", staged), member("w2", staged), member("w3", staged)],
      planned: { reason: "3 of 3 nodes are to change; w1, w2 take slots" },
    },
    {
      when: "that is done",
      nodes: [member("w1", updated)],
      planned: { decision: "hold", hold: "same-digest", reason: "every node runs what it should", nodes: [] },
    },
    {
      when: "that is paused",
      of: pool({ paused: true }),
      nodes: rolling,
      planned: {
        decision: "hold",
        hold: "paused",
        reason: "2 of 3 nodes are to change; the pool is paused; its agent is staging",
      },
    },
    {
      when: "that is paused, and has nodes that join",
      of: pool({ paused: true }),
      nodes: [...rolling, fresh("w4")],
      planned: { decision: "update", reason: "3 of 4 nodes are to change; no node takes a slot: the pool is paused" },
    },
    {
      when: "that waits for another",
      of: pool({ dependsOn: ["infra"] }),
      nodes: rolling,
      planned: { decision: "hold", hold: "waiting" },
    },
    {
      when: "that is rolled out",
      of: pool({}, { execution: "workers-1" }),
      nodes: rolling,
      planned: { decision: "in-flight", reason: "by execution workers-1; w2 takes a slot" },
    },
    {
      when: "whose tag has moved",
      of: byTag,
      nodes: [member("w1", { ...updated, desiredImage: imageB })],
      resolution: { kind: "resolved", digest: digestC },
      planned: {
        decision: "update",
        candidate: digestC,
        reason: "its tag stands for another digest now; 1 of 1 nodes are to change",
        nodes: [{ node: "w1", state: "pending", next: { step: "ask", what: `is asked to stage ${digestC}` } }],
      },
    },
    {
      when: "whose tag has not moved",
      of: byTag,
      resolution: { kind: "resolved", digest: digestB },
      planned: { decision: "hold", reason: "every node runs what it should" },
    },
    {
      when: "whose tag is new",
      of: unresolved,
      resolution: { kind: "resolved", digest: digestB },
      planned: {
        decision: "hold",
        candidate: digestB,
        reason: "its tag is resolved for the first time; every node runs what it should",
      },
    },
    {
      when: "whose tag cannot be resolved any more",
      of: byTag,
      resolution: { kind: "failed", reason: "no answer" },
      planned: {
        decision: "hold",
        candidate: digestB,
        reason: "its tag could not be resolved: no answer; every node runs what it should",
      },
    },
    {
      when: "whose tag was never resolved",
      of: unresolved,
      nodes: [fresh("w1")],
      resolution: { kind: "failed", reason: "no answer" },
      planned: { decision: "error", candidate: null, reason: "its tag could not be resolved: no answer" },
    },
    {
      when: "whose spec cannot be read",
      of: pool({}, { problems: ["one", "two"] }),
      planned: { decision: "problem", reason: "one; two" },
    },
    {
      when: "that is being deleted",
      of: pool({}, { isBeingDeleted: true, problems: ["one"] }),
      nodes: [member("w1")],
      planned: { decision: "update", reason: "it is being deleted: its nodes are let go" },
    },
  ])("$when", async ({ of = pool(), nodes = [], resolution = null, planned }) => {
    expect(plannedPool(await lookAtOne({ pool: of, nodes, resolution }))).toMatchObject(planned);
  });

  test("whose nodes have a pull secret: it is taken for unchanged", async () => {
    const secret = { pullSecretRef: { name: "login", namespace: "os" }, pullSecretHash: "sha256:1" };
    const look = {
      pool: pool(secret),
      nodes: [member("w1", { ...updated, ...secret }), member("w2", { ...updated, ...secret })],
    };
    expect(plannedPool(await lookAtOne(look))).toMatchObject({ decision: "hold", nodes: [] });
  });
});

describe("planning", () => {
  const registry: Registry = {
    listTags: async () => [],
    digestsOf: async () => [],
    digestOf: async () => digestC,
  };

  test("asks a registry where a poll would, and writes nothing", async () => {
    const nodePools = fakeNodePools({ pools: [byTag, pool({}, { name: "infra", uid: "pool-2" })], now: () => noon });
    const planned = await planPools({ nodePools, registry, now: () => noon }, () => {});
    expect(planned.map(({ name, candidate }) => [name, candidate])).toEqual([
      ["infra", digestB],
      ["workers", digestC],
    ]);
    expect(nodePools.writes).toEqual([]);
    expect(nodePools.pool("workers")).toEqual(byTag);
  });

  test.for([
    {
      when: "forbidden",
      error: new Forbidden("list bootcnodepools: 403"),
      said: ["node pools are left out: list bootcnodepools: 403"],
    },
    { when: "unreachable", error: new Unreachable("no answer"), said: "no answer" },
  ])("of what is $when", async ({ error, said }) => {
    const atMoment = () => {
      throw error;
    };
    const told: string[] = [];
    const nodePools = fakeNodePools({ now: () => noon, atMoment });
    const planned = planPools({ nodePools, registry, now: () => noon }, (message) => told.push(message));
    if (typeof said === "string") return expect(planned).rejects.toThrow(said);
    expect(await planned).toEqual([]);
    expect(told).toEqual(said);
  });
});
