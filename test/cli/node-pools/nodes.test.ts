import { describe, expect, test } from "vitest";
import { type PoolNodeStatus, nodeStatuses } from "../../../cli/node-pools/nodes.ts";
import { readPodsOfDrainedNodes } from "../../../cli/node-pools/pods.ts";
import { Forbidden, Unreachable } from "../../../functions/ports/errors.ts";
import type { PoolNode } from "../../../functions/domain/node-pool/node/bootc-node.ts";
import {
  approved,
  cordoned,
  digestA,
  digestB,
  failing,
  unmanagedNode,
  member,
  pool,
  slot,
  slotted,
  staged,
  staging,
  poolState,
  updated,
} from "../../domain/node-pool/pools.ts";
import { webPod } from "../../domain/node-pool/simulation/world.ts";
import { after } from "../../support/workloads.ts";

const noonText = "2026-11-20T12:00:00Z";
const draining = member("w1", slotted, cordoned);

describe("the status of a node", () => {
  test.for<{ when: string; node: PoolNode; expected: Partial<PoolNodeStatus> }>([
    {
      when: "that is up to date",
      node: member("w1", updated, { osImage: "Example OS 9.4", kernelVersion: "6.12.0" }),
      expected: {
        state: "up-to-date",
        booted: digestB,
        staged: null,
        osImage: "Example OS 9.4",
        kernelVersion: "6.12.0",
        slot: null,
        cordoned: null,
        next: null,
        problem: null,
      },
    },
    {
      when: "that stages",
      node: member("w1", staging),
      expected: { state: "staging", next: { step: "wait", what: "its agent is staging" } },
    },
    {
      when: "that acquires a slot",
      node: member("w1", staged),
      expected: {
        state: "staged",
        booted: digestA,
        staged: digestB,
        osImage: null,
        kernelVersion: null,
        next: { step: "acquire-slot", what: "acquires a slot" },
      },
    },
    {
      when: "that is being drained",
      node: draining,
      expected: {
        slot: { acquiredAt: noonText, approvedAt: null },
        cordoned: "by-pawl",
        next: { step: "wait", what: "it is being drained" },
      },
    },
    {
      when: "that reboots",
      node: member("w1", approved),
      expected: { slot: { acquiredAt: noonText, approvedAt: noonText } },
    },
    {
      when: "whose slot has no time",
      node: member("w1", { ...slotted, slot: { ...slot, acquiredAt: null } }),
      expected: { slot: { acquiredAt: null, approvedAt: null } },
    },
    {
      when: "that a person cordoned",
      node: member("w1", updated, { unschedulable: true }),
      expected: { cordoned: "by-others" },
    },
    {
      when: "that has failed",
      node: member("w1", failing),
      expected: { state: "degraded", problem: "its agent reports an error: stage failed" },
    },
    {
      when: "that came back NotReady",
      node: member(
        "w1",
        { ...updated, requestedAt: after(-9), slot: { ...slot, bootedAt: after(-1) } },
        { ready: false },
      ),
      expected: { state: "up-to-date", problem: "runs the new image and is not Ready" },
    },
    {
      when: "that joins",
      node: unmanagedNode("w1"),
      expected: {
        state: "joining",
        booted: null,
        next: { step: "create", what: `joins the pool and is requested to stage ${digestB}` },
      },
    },
    {
      when: "that leaves",
      node: member("w1", {}, { labels: {} }),
      expected: { state: "leaving", next: { step: "delete", what: "leaves: its BootcNode is deleted" } },
    },
    {
      when: "whose Node was deleted",
      node: { ...member("w1"), node: null },
      expected: { state: "leaving", cordoned: null },
    },
    {
      when: "of another pool",
      node: member("w1", { owner: { name: "infra", uid: "pool-2" } }),
      expected: { state: "contested", next: null, problem: "belongs to infra" },
    },
    { when: "of no pool", node: member("w1", { owner: null }), expected: { problem: "belongs to no pool" } },
  ])("$when", ({ node, expected }) => {
    expect(nodeStatuses(poolState([node]))).toMatchObject([{ node: "w1", ...expected }]);
  });

  test("that is Ready again, in a halted pool", () => {
    const halted = { type: "Degraded", status: "True", reason: "RolloutHalted", message: "" } as const;
    const of = { pool: pool({}, { status: { conditions: [halted] } }), now: after(2.5) };
    const again = member("w1", { ...updated, slot: { ...slot, bootedAt: after(0) } }, { readyChangedAt: after(2) });
    const problem = "was not Ready on the new image, and halts the rollout until it releases its slot";
    expect(nodeStatuses(poolState([again], of))).toMatchObject([{ state: "up-to-date", problem }]);
  });

  test("that is stuck", () => {
    const late = { pool: pool({ stagingTimeoutSeconds: 60 }), now: after(2) };
    const [node] = nodeStatuses(poolState([member("w1", staging)], late));
    expect(node).toMatchObject({ state: "degraded", problem: "nothing staged after 60 s" });
  });
});

test("nodes are sorted by name, and have steps only if the spec is valid", () => {
  const nodes = [
    member("b", { owner: null }),
    unmanagedNode("c"),
    member("d", {}, { labels: {} }),
    member("a", staged),
  ];
  expect(nodeStatuses(poolState(nodes)).map(({ node }) => node)).toEqual(["a", "b", "c", "d"]);
  const broken = nodeStatuses(poolState(nodes, { pool: pool({}, { problems: ["no"] }) }));
  expect(broken.map(({ next }) => next)).toEqual([null, null, null, null]);
});

describe("the pods of nodes being drained", () => {
  const nodes = [draining, member("w2", staged), member("w3", slotted, cordoned)];
  const drained = poolState(nodes, { pool: pool({ maxUnavailable: { unit: "nodes", amount: 3 } }) });

  test("are read, and no others", async () => {
    const requested: string[] = [];
    const listPods = async (node: string) => {
      requested.push(node);
      return node === "w1" ? [webPod] : [];
    };
    const expected = nodeStatuses(drained, await readPodsOfDrainedNodes({ listPods }, drained)).map(
      ({ next }) => next?.what,
    );
    expect(requested).toEqual(["w1", "w3"]);
    expect(expected).toEqual([
      "1 pod is evicted: shop/web",
      "acquires a slot",
      "is drained, and its reboot is approved",
    ]);
  });

  test("are empty if listing them is forbidden", async () => {
    const refused = async () => Promise.reject(new Forbidden("no"));
    expect(await readPodsOfDrainedNodes({ listPods: refused }, drained)).toEqual(new Map());
    const silent = async () => Promise.reject(new Unreachable("no answer"));
    await expect(readPodsOfDrainedNodes({ listPods: silent }, drained)).rejects.toThrow("no answer");
  });
});
