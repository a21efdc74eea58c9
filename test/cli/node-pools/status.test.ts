import { describe, expect, test } from "vitest";
import { poolStatus } from "../../../cli/node-pools/status.ts";
import type { PoolNode } from "../../../functions/domain/node-pool/node/bootc-node.ts";
import type { NodePool } from "../../../functions/domain/node-pool/pool/node-pool.ts";
import {
  digestA,
  digestB,
  failing,
  unmanagedNode,
  imageB,
  member,
  pool,
  slot,
  staged,
  updated,
} from "../../domain/node-pool/pools.ts";
import { after } from "../../support/workloads.ts";
import { observeOnly } from "./observe-pools.ts";

const tag = "quay.io/example/myos:9";
const back = { ...updated, requestedAt: after(-9), slot: { ...slot, bootedAt: after(-1) } };
const unhealthy = ["w1", "w2"].map((name) => member(name, back, { ready: false }));
const rolling = [member("w1", updated), member("w2", staged)];
const withSecret = { pullSecretRef: { name: "login", namespace: "os" } };

const counts = "1/2 updated; 0 pending, 0 staging, 1 staged, 0 rebooting, 0 degraded";

describe("the state of a pool", () => {
  test.for<{ when: string; initial?: NodePool; nodes?: readonly PoolNode[]; state: string; message: string }>([
    { when: "it has no nodes", state: "UpToDate", message: "" },
    { when: "every node runs its image", nodes: [member("w1", updated)], state: "UpToDate", message: "" },
    {
      when: "nodes must be updated",
      nodes: rolling,
      state: "Updating",
      message: `${counts}; the next poll starts it`,
    },
    {
      when: "an execution updates them",
      initial: pool({}, { execution: "workers-1" }),
      nodes: rolling,
      state: "Updating",
      message: counts,
    },
    {
      when: "it waits for another pool",
      initial: pool({ dependsOn: ["infra"] }),
      nodes: rolling,
      state: "Waiting",
      message: "it waits for infra, which does not exist",
    },
    { when: "it is paused", initial: pool({ paused: true }), nodes: rolling, state: "Held", message: counts },
    {
      when: "it is paused and done",
      initial: pool({ paused: true }),
      nodes: [member("w1", updated)],
      state: "Held",
      message: "",
    },
    {
      when: "too many are unhealthy",
      nodes: unhealthy,
      state: "Stalled",
      message: "Unhealthy nodes in reboot slots: w1 (NotReady), w2 (NotReady)",
    },
    {
      when: "a node has failed",
      nodes: [member("w1", failing)],
      state: "Stalled",
      message: "NodeDegraded: Degraded nodes: w1",
    },
    {
      when: "its tag can no longer be resolved",
      initial: pool({ imageRef: tag }, { status: { targetRef: tag, tagProblem: "no answer" } }),
      state: "Stalled",
      message: "TagResolutionError: no answer",
    },
    {
      when: "its tag was never resolved",
      initial: pool({ imageRef: tag }, { status: { targetDigest: null, targetRef: null } }),
      nodes: [unmanagedNode("w1")],
      state: "NotEvaluated",
      message: "the next poll resolves its tag",
    },
    {
      when: "its spec is invalid",
      initial: pool({}, { problems: ["image.ref: no"] }),
      state: "Stalled",
      message: "image.ref: no",
    },
    {
      when: "it is being deleted",
      initial: pool({}, { isBeingDeleted: true, problems: ["image.ref: no"] }),
      nodes: [member("w1"), member("w2")],
      state: "Waiting",
      message: "2 nodes are still leaving",
    },
    {
      when: "it is being deleted and empty",
      initial: pool({}, { isBeingDeleted: true }),
      state: "Waiting",
      message: "",
    },
  ])("if $when: $state", async ({ initial = pool(), nodes = [], state, message }) => {
    const status = poolStatus(await observeOnly({ pool: initial, nodes }));
    expect(status).toMatchObject({
      state,
      message,
    });
  });
});

test("a status has complete digests and current counts", async () => {
  expect(poolStatus(await observeOnly({ pool: pool({}, { execution: "workers-1" }), nodes: rolling }))).toEqual({
    name: "workers",
    image: imageB,
    target: digestB,
    deployed: digestA,
    nodeCount: 2,
    updatedCount: 1,
    updatingCount: 1,
    degradedCount: 0,
    state: "Updating",
    reason: "RollingOut",
    message: counts,
    paused: false,
    execution: "workers-1",
    problems: [],
  });
});

describe("the problems of a pool", () => {
  const secretError = { type: "Degraded", status: "True", reason: "SecretError", message: "there is none" } as const;
  const foreign = { owner: { name: "infra", uid: "pool-2" } };
  test.for<{ when: string; initial?: NodePool; nodes?: readonly PoolNode[]; problems: readonly string[] }>([
    { when: "its spec", initial: pool({}, { problems: ["one", "two"] }), problems: ["one", "two"] },
    {
      when: "its tag",
      initial: pool({ imageRef: tag }, { status: { tagProblem: "no answer" } }),
      problems: ["its tag could not be resolved: no answer"],
    },
    {
      when: "the pull secret, by its status",
      initial: pool(withSecret, { status: { conditions: [secretError] } }),
      problems: ["its pull secret could not be read: there is none"],
    },
    { when: "no pull secret any more", initial: pool({}, { status: { conditions: [secretError] } }), problems: [] },
    {
      when: "nodes of other pools",
      nodes: [member("w1", foreign), member("w2", { owner: null })],
      problems: ["w1 matches its selector, but belongs to infra", "w2 matches its selector, but belongs to no pool"],
    },
    {
      when: "a halt",
      nodes: unhealthy,
      problems: ["the rollout is halted: no node acquires a slot until fewer nodes with a slot are unhealthy"],
    },
  ])("$when", async ({ initial = pool(), nodes = [], problems }) => {
    expect(poolStatus(await observeOnly({ pool: initial, nodes })).problems).toEqual(problems);
  });
});
