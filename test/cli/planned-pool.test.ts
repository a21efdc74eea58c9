import { describe, expect, test } from "vitest";
import { type PlannedPool, plannedPool } from "../../cli/pools/planned.ts";
import type { Resolution } from "../../functions/domain/node-pool/target.ts";
import type { NodePool, PoolNode } from "../../functions/domain/node-pool/types.ts";
import type { PullSecret } from "../../functions/ports/node-pools.ts";
import {
  digestA,
  digestB,
  digestC,
  fresh,
  imageB,
  member,
  pool,
  staged,
  staging,
  updated,
} from "../domain/node-pool/pools.ts";
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
      when: "that is done, and bears no finalizer yet",
      of: pool({}, { hasFinalizer: false }),
      nodes: [member("w1", updated)],
      planned: { decision: "update", hold: null, reason: "its finalizer is to be written" },
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
      resolution: { kind: "resolved", ref: tag, digest: digestC },
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
      resolution: { kind: "resolved", ref: tag, digest: digestB },
      planned: { decision: "hold", reason: "every node runs what it should" },
    },
    {
      when: "whose tag is new",
      of: unresolved,
      resolution: { kind: "resolved", ref: tag, digest: digestB },
      planned: {
        decision: "hold",
        candidate: digestB,
        reason: "its tag is resolved for the first time; every node runs what it should",
      },
    },
    {
      when: "whose tag cannot be resolved any more",
      of: byTag,
      resolution: { kind: "failed", ref: tag, reason: "no answer" },
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
      resolution: { kind: "failed", ref: tag, reason: "no answer" },
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

  const pullSecretRef = { name: "login", namespace: "os" };
  test.for<{ when: string; secret: PullSecret; steps: readonly string[] }>([
    { when: "is not read is taken for unchanged", secret: { kind: "unread" }, steps: [] },
    { when: "is the same", secret: { kind: "found", hash: "sha256:1", logins: [] }, steps: [] },
    { when: "has changed", secret: { kind: "found", hash: "sha256:2", logins: [] }, steps: ["ask", "ask"] },
    { when: "is missing", secret: { kind: "problem", reason: "there is none" }, steps: ["ask", "ask"] },
  ])("whose pull secret $when", async ({ secret, steps }) => {
    const own = { ...updated, pullSecretRef, pullSecretHash: "sha256:1" };
    const scene = { pool: pool({ pullSecretRef }), nodes: [member("w1", own), member("w2", own)], secret };
    const { nodes } = plannedPool(await lookAtOne(scene));
    expect(nodes.map(({ next }) => next?.step)).toEqual(steps);
  });

  test("that names no pull secret any more: its nodes are told so", async () => {
    const nodes = [member("w1", { ...updated, pullSecretRef, pullSecretHash: "sha256:1" })];
    expect(plannedPool(await lookAtOne({ nodes })).nodes).toMatchObject([{ next: { step: "ask" } }]);
  });

  test("whose node without a daemon has a command in flight", async () => {
    const command = { id: "c-1", kind: "status", image: imageB, at: noon, attempts: 0 } as const;
    const scene = { pool: pool({ agent: "RunCommand" }), nodes: [member("w1", { ...updated, command })] };
    expect(plannedPool(await lookAtOne(scene))).toMatchObject({ decision: "update" });
  });
});
