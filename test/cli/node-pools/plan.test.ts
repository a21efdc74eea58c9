import { describe, expect, test } from "vitest";
import { type PlannedPool, planPool } from "../../../cli/node-pools/plan.ts";
import type { Resolution } from "../../../functions/domain/node-pool/pool/target.ts";
import type { PoolNode } from "../../../functions/domain/node-pool/node/bootc-node.ts";
import type { NodePool } from "../../../functions/domain/node-pool/pool/node-pool.ts";
import type { PullSecret } from "../../../functions/ports/node-pools.ts";
import {
  digestA,
  digestB,
  digestC,
  unmanagedNode,
  imageA,
  imageB,
  member,
  pool,
  staged,
  staging,
  updated,
} from "../../domain/node-pool/pools.ts";
import { noon } from "../../support/workloads.ts";
import { observeOnly } from "./observe-pools.ts";

const tag = "quay.io/example/myos:9";
const byTag = pool({ imageRef: tag }, { status: { targetRef: tag } });
const unresolved = pool({ imageRef: tag }, { status: { targetRef: null, targetDigest: null } });
const rolling = [member("w1", updated), member("w2", staged), member("w3", staging)];

interface Case {
  readonly when: string;
  readonly initial?: NodePool;
  readonly nodes?: readonly PoolNode[];
  readonly resolution?: Resolution;
  readonly planned: Partial<PlannedPool>;
}

describe("the plan of a pool", () => {
  test.for<Case>([
    {
      when: "with nodes to update",
      nodes: rolling,
      planned: {
        workload: "bootcnodepool/workers",
        kind: "BootcNodePool",
        namespace: null,
        current: digestA,
        candidate: digestB,
        state: "Updating",
        reason: "RollingOut",
        message: "2 of 3 nodes will change; w2 acquires a slot",
        nodes: [
          { node: "w2", state: "staged", next: { step: "acquire-slot", what: "acquires a slot" }, drain: [] },
          { node: "w3", state: "staging", next: { step: "wait", what: "its agent is staging" }, drain: [] },
        ],
      },
    },
    {
      when: "of which several nodes acquire slots",
      initial: pool({ maxUnavailable: { unit: "nodes", amount: 2 } }),
      nodes: [member("w1", staged), member("w2", staged), member("w3", staged)],
      planned: { message: "3 of 3 nodes will change; w1, w2 acquire slots" },
    },
    {
      when: "that is completed",
      nodes: [member("w1", updated)],
      planned: { state: "UpToDate", message: "every node runs the target digest", nodes: [] },
    },
    {
      when: "that is completed and has no finalizer",
      initial: pool({}, { hasFinalizer: false }),
      nodes: [member("w1", updated)],
      planned: { state: "UpToDate", message: "its finalizer is missing" },
    },
    {
      when: "that is paused",
      initial: pool({ paused: true }),
      nodes: rolling,
      planned: {
        state: "Held",
        message: "2 of 3 nodes will change; the pool is paused; its agent is staging",
      },
    },
    {
      when: "that is paused, and has nodes that join",
      initial: pool({ paused: true }),
      nodes: [...rolling, unmanagedNode("w4")],
      planned: {
        state: "Held",
        message: "3 of 4 nodes will change; no node acquires a slot: the pool is paused",
      },
    },
    {
      when: "that waits for another pool",
      initial: pool({ dependsOn: ["infra"] }),
      nodes: rolling,
      planned: { state: "Waiting", reason: "NoSlot" },
    },
    {
      when: "that is being rolled out",
      initial: pool({}, { execution: "workers-1" }),
      nodes: rolling,
      planned: { state: "Updating", message: "by execution workers-1; w2 acquires a slot" },
    },
    {
      when: "whose tag has moved",
      initial: byTag,
      nodes: [member("w1", { ...updated, desiredImage: imageB })],
      resolution: { kind: "resolved", ref: tag, digest: digestC },
      planned: {
        state: "Updating",
        candidate: digestC,
        message: "its tag resolves to a new digest; 1 of 1 nodes will change",
        nodes: [
          {
            node: "w1",
            state: "pending",
            next: { step: "request-image", what: `is requested to stage ${digestC}` },
            drain: [],
          },
        ],
      },
    },
    {
      when: "whose tag has not moved",
      initial: byTag,
      resolution: { kind: "resolved", ref: tag, digest: digestB },
      planned: { state: "UpToDate", message: "every node runs the target digest" },
    },
    {
      when: "whose tag is new",
      initial: unresolved,
      resolution: { kind: "resolved", ref: tag, digest: digestB },
      planned: {
        state: "UpToDate",
        candidate: digestB,
        message: "its tag is resolved for the first time; every node runs the target digest",
      },
    },
    {
      when: "whose tag can no longer be resolved",
      initial: byTag,
      resolution: { kind: "failed", ref: tag, reason: "no answer" },
      planned: {
        state: "Stalled",
        candidate: digestB,
        message: "its tag could not be resolved: no answer; every node runs the target digest",
      },
    },
    {
      when: "whose tag was never resolved",
      initial: unresolved,
      nodes: [unmanagedNode("w1")],
      resolution: { kind: "failed", ref: tag, reason: "no answer" },
      planned: { state: "Stalled", candidate: null, message: "its tag could not be resolved: no answer" },
    },
    {
      when: "whose spec is invalid",
      initial: pool({}, { problems: ["one", "two"] }),
      planned: { state: "Stalled", message: "one; two" },
    },
    {
      when: "with a soft reboot that its daemon does not do",
      initial: pool({ rebootPolicy: "AllowSoftReboot" }),
      planned: { message: expect.stringMatching(/^every node runs the target digest; .*the nodes reboot completely$/) },
    },
    {
      when: "whose pull secret does not reach its nodes",
      initial: pool({ agent: "RunCommand", pullSecretRef: { name: "login", namespace: "os" } }),
      planned: { message: expect.stringContaining("the secret is not transferred to nodes without a daemon") },
    },
    {
      when: "that went back from its target",
      initial: pool({ onHalt: "Rollback" }, { status: { failedDigests: [digestB] } }),
      nodes: [member("w1", { desiredImage: imageA })],
      planned: {
        state: "Behind",
        reason: "RolledBack",
        message: `${digestB} halted a rollout and is not tried again; every node runs the image before`,
      },
    },
    {
      when: "that is being deleted",
      initial: pool({}, { isBeingDeleted: true, problems: ["one"] }),
      nodes: [member("w1")],
      planned: { state: "Waiting", reason: "BeingDeleted", message: "it is being deleted; its nodes are released" },
    },
  ])("$when", async ({ initial = pool(), nodes = [], resolution = null, planned }) => {
    expect(planPool(await observeOnly({ pool: initial, nodes, resolution }))).toMatchObject(planned);
  });

  const pullSecretRef = { name: "login", namespace: "os" };
  test.for<{ when: string; secret: PullSecret; steps: readonly string[] }>([
    { when: "is not read counts as unchanged", secret: { kind: "unread" }, steps: [] },
    { when: "is the same", secret: { kind: "found", hash: "sha256:1", logins: [] }, steps: [] },
    {
      when: "has changed",
      secret: { kind: "found", hash: "sha256:2", logins: [] },
      steps: ["request-image", "request-image"],
    },
    {
      when: "is missing",
      secret: { kind: "problem", reason: "there is none" },
      steps: ["request-image", "request-image"],
    },
  ])("whose pull secret $when", async ({ secret, steps }) => {
    const own = { ...updated, pullSecretRef, pullSecretHash: "sha256:1" };
    const scene = { pool: pool({ pullSecretRef }), nodes: [member("w1", own), member("w2", own)], secret };
    const { nodes } = planPool(await observeOnly(scene));
    expect(nodes.map(({ next }) => next?.step)).toEqual(steps);
  });

  test("that has no pull secret any more requests the image again", async () => {
    const nodes = [member("w1", { ...updated, pullSecretRef, pullSecretHash: "sha256:1" })];
    expect(planPool(await observeOnly({ nodes })).nodes).toMatchObject([{ next: { step: "request-image" } }]);
  });

  test("whose node without a daemon has a command in flight", async () => {
    const command = { id: "c-1", kind: "status", image: imageB, at: noon, attempts: 0 } as const;
    const scene = { pool: pool({ agent: "RunCommand" }), nodes: [member("w1", { ...updated, command })] };
    expect(planPool(await observeOnly(scene))).toMatchObject({ state: "Updating" });
  });
});
