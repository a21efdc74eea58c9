import { expect, test } from "vitest";
import { lacksFinalizer, computeMembership } from "../../../../functions/domain/node-pool/pool/membership.ts";
import type { PoolNode } from "../../../../functions/domain/node-pool/node/bootc-node.ts";
import { unmanagedNode, member, pool } from "../pools.ts";

const other = { owner: { name: "infra", uid: "pool-2" } };
const notMatching = { labels: { role: "infra" } };

function namesByMembership(nodes: readonly PoolNode[], given = pool()) {
  const { members, joining, leaving, contested } = computeMembership(given, nodes);
  const names = (places: readonly { name: string }[]) => places.map(({ name }) => name);
  return { members: names(members), joining: names(joining), leaving: names(leaving), contested };
}

const noNodes = { members: [], joining: [], leaving: [], contested: [] };

test.for([
  { when: "it matches and belongs to the pool", node: member("w"), expected: { members: ["w"] } },
  { when: "it matches and has no BootcNode", node: unmanagedNode("w"), expected: { joining: ["w"] } },
  {
    when: "it matches and belongs to another pool",
    node: member("w", other),
    expected: { contested: [{ name: "w", owner: "infra" }] },
  },
  {
    when: "its BootcNode has no owner",
    node: member("w", { owner: null }),
    expected: { contested: [{ name: "w", owner: null }] },
  },
  { when: "it no longer matches", node: member("w", {}, notMatching), expected: { leaving: ["w"] } },
  { when: "its Node was deleted", node: { ...member("w"), node: null }, expected: { leaving: ["w"] } },
  {
    when: "it was cordoned for the pool and has no BootcNode",
    node: unmanagedNode("w", { ...notMatching, cordonedByPool: "workers" }),
    expected: { leaving: ["w"] },
  },
  {
    when: "it was cordoned for another pool",
    node: unmanagedNode("w", { ...notMatching, cordonedByPool: "infra" }),
    expected: {},
  },
  { when: "neither object exists", node: { name: "w", node: null, bootcNode: null }, expected: {} },
  { when: "it never matched", node: unmanagedNode("w", notMatching), expected: {} },
  { when: "it belongs to another pool and does not match", node: member("w", other, notMatching), expected: {} },
  {
    when: "another pool of the same name owned it",
    node: member("w", { owner: { name: "workers", uid: "pool-0" } }),
    expected: { contested: [{ name: "w", owner: "workers" }] },
  },
])("$when", ({ node, expected }) => {
  expect(namesByMembership([node])).toEqual({ ...noNodes, ...expected });
});

test("every node leaves a pool that is being deleted, and none joins it", () => {
  const deleted = pool({}, { isBeingDeleted: true });
  expect(namesByMembership([member("a"), unmanagedNode("b"), member("c", other)], deleted)).toEqual({
    ...noNodes,
    leaving: ["a"],
  });
});

test("a contested node joins once the other pool has released it", () => {
  const infra = pool({ nodeSelector: {} }, { name: "infra", uid: "pool-2" });
  expect(namesByMembership([member("w")], infra).contested).toEqual([{ name: "w", owner: "workers" }]);
  expect(namesByMembership([unmanagedNode("w")], infra).joining).toEqual(["w"]);
});

test("nodes are sorted by name, by code units", () => {
  expect(namesByMembership([member("w2"), member("w10"), member("W3"), member("w1")]).members).toEqual([
    "W3",
    "w1",
    "w10",
    "w2",
  ]);
});

const withoutFinalizer = { hasFinalizer: false };

test.for([
  {
    when: "with a member, and without a finalizer",
    pool: pool({}, withoutFinalizer),
    nodes: [member("w")],
    lacks: true,
  },
  { when: "with a member and its finalizer", pool: pool(), nodes: [member("w")], lacks: false },
  { when: "with a joining node", pool: pool({}, withoutFinalizer), nodes: [unmanagedNode("w")], lacks: false },
  { when: "without nodes", pool: pool({}, withoutFinalizer), nodes: [], lacks: false },
  {
    when: "that is being deleted",
    pool: pool({}, { ...withoutFinalizer, isBeingDeleted: true }),
    nodes: [member("w")],
    lacks: false,
  },
])("a pool $when lacks a finalizer: $lacks", ({ pool: given, nodes, lacks }) => {
  expect(lacksFinalizer(given, computeMembership(given, nodes))).toBe(lacks);
});
