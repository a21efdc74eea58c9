import { describe, expect, test } from "vitest";
import { type PoolNodeStatus, poolNodes } from "../../cli/pools/nodes.ts";
import { podsOfDrained } from "../../cli/pools/pods.ts";
import { Forbidden, Unreachable } from "../../functions/adapters/errors.ts";
import type { PoolNode } from "../../functions/domain/node-pool/types.ts";
import {
  approved,
  cordoned,
  digestA,
  digestB,
  failing,
  fresh,
  member,
  pool,
  slot,
  slotted,
  staged,
  staging,
  tick,
  updated,
} from "../domain/node-pool/pools.ts";
import { web } from "../domain/node-pool/simulation/world.ts";
import { after } from "../support/workloads.ts";

const noonText = "2026-11-20T12:00:00Z";
const draining = member("w1", slotted, cordoned);

describe("a node is told of", () => {
  test.for<{ when: string; node: PoolNode; told: Partial<PoolNodeStatus> }>([
    {
      when: "that is up to date",
      node: member("w1", updated),
      told: {
        state: "up-to-date",
        booted: digestB,
        staged: null,
        slot: null,
        cordoned: null,
        next: null,
        problem: null,
      },
    },
    {
      when: "that stages",
      node: member("w1", staging),
      told: { state: "staging", next: { step: "wait", what: "its agent is staging" } },
    },
    {
      when: "that takes a slot",
      node: member("w1", staged),
      told: { state: "staged", booted: digestA, staged: digestB, next: { step: "take-slot", what: "takes a slot" } },
    },
    {
      when: "that is drained",
      node: draining,
      told: {
        slot: { takenAt: noonText, approvedAt: null },
        cordoned: "by-pawl",
        next: { step: "wait", what: "it is being drained" },
      },
    },
    { when: "that reboots", node: member("w1", approved), told: { slot: { takenAt: noonText, approvedAt: noonText } } },
    {
      when: "whose slot has no time",
      node: member("w1", { ...slotted, slot: { ...slot, takenAt: null } }),
      told: { slot: { takenAt: null, approvedAt: null } },
    },
    {
      when: "that a person cordoned",
      node: member("w1", updated, { unschedulable: true }),
      told: { cordoned: "by-others" },
    },
    {
      when: "that has failed",
      node: member("w1", failing),
      told: { state: "degraded", problem: "its agent reports an error: stage failed" },
    },
    {
      when: "that came back NotReady",
      node: member("w1", { ...approved, ...updated }, { ready: false }),
      told: { state: "up-to-date", problem: "runs the new image, and is not Ready" },
    },
    {
      when: "that joins",
      node: fresh("w1"),
      told: {
        state: "joining",
        booted: null,
        next: { step: "create", what: `joins, and is asked to stage ${digestB}` },
      },
    },
    {
      when: "that leaves",
      node: member("w1", {}, { labels: {} }),
      told: { state: "leaving", next: { step: "delete", what: "leaves: its BootcNode is deleted" } },
    },
    { when: "whose Node is gone", node: { ...member("w1"), node: null }, told: { state: "leaving", cordoned: null } },
    {
      when: "of another pool",
      node: member("w1", { owner: { name: "infra", uid: "pool-2" } }),
      told: { state: "contested", next: null, problem: "belongs to infra" },
    },
    { when: "of no pool", node: member("w1", { owner: null }), told: { problem: "belongs to no pool" } },
  ])("$when", ({ node, told }) => {
    expect(poolNodes(tick([node]))).toMatchObject([{ node: "w1", ...told }]);
  });

  test("that is stuck", () => {
    const late = { pool: pool({ stagingTimeoutSeconds: 60 }), now: after(2) };
    const [node] = poolNodes(tick([member("w1", staging)], late));
    expect(node).toMatchObject({ state: "degraded", problem: "nothing staged after 60 s" });
  });
});

test("nodes are in the order of names, and there are steps only where the spec can be read", () => {
  const nodes = [member("b", { owner: null }), fresh("c"), member("d", {}, { labels: {} }), member("a", staged)];
  expect(poolNodes(tick(nodes)).map(({ node }) => node)).toEqual(["a", "b", "c", "d"]);
  const broken = poolNodes(tick(nodes, { pool: pool({}, { problems: ["no"] }) }));
  expect(broken.map(({ next }) => next)).toEqual([null, null, null, null]);
});

describe("the pods of a node that is drained", () => {
  const nodes = [draining, member("w2", staged), member("w3", slotted, cordoned)];
  const drained = tick(nodes, { pool: pool({ maxUnavailable: { unit: "nodes", amount: 3 } }) });

  test("are read, and those of no other", async () => {
    const asked: string[] = [];
    const pods = async (node: string) => {
      asked.push(node);
      return node === "w1" ? [web] : [];
    };
    const told = poolNodes(drained, await podsOfDrained({ pods }, drained)).map(({ next }) => next?.what);
    expect(asked).toEqual(["w1", "w3"]);
    expect(told).toEqual(["1 pod is evicted: shop/web", "takes a slot", "is drained, and is told to reboot"]);
  });

  test("need not be, where that is forbidden", async () => {
    const refused = async () => Promise.reject(new Forbidden("no"));
    expect(await podsOfDrained({ pods: refused }, drained)).toEqual(new Map());
    const silent = async () => Promise.reject(new Unreachable("no answer"));
    await expect(podsOfDrained({ pods: silent }, drained)).rejects.toThrow("no answer");
  });
});
