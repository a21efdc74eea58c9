import { expect, test } from "vitest";
import { lacksFinalizer, membershipOf } from "../../../functions/domain/node-pool/membership.ts";
import type { PoolNode } from "../../../functions/domain/node-pool/types.ts";
import { fresh, member, pool } from "./pools.ts";

const other = { owner: { name: "infra", uid: "pool-2" } };
const elsewhere = { labels: { role: "infra" } };

function placesOf(nodes: readonly PoolNode[], of = pool()) {
  const { members, joining, leaving, contested } = membershipOf(of, nodes);
  const names = (places: readonly { name: string }[]) => places.map(({ name }) => name);
  return { members: names(members), joining: names(joining), leaving: names(leaving), contested };
}

const nowhere = { members: [], joining: [], leaving: [], contested: [] };

test.for([
  { when: "it matches and is the pool's", node: member("w"), place: { members: ["w"] } },
  { when: "it matches and nobody's", node: fresh("w"), place: { joining: ["w"] } },
  {
    when: "it matches and is another pool's",
    node: member("w", other),
    place: { contested: [{ name: "w", owner: "infra" }] },
  },
  {
    when: "its BootcNode has no owner",
    node: member("w", { owner: null }),
    place: { contested: [{ name: "w", owner: null }] },
  },
  { when: "it no longer matches", node: member("w", {}, elsewhere), place: { leaving: ["w"] } },
  { when: "its Node is gone", node: { ...member("w"), node: null }, place: { leaving: ["w"] } },
  {
    when: "it was cordoned for the pool and has no BootcNode",
    node: fresh("w", { ...elsewhere, cordonedFor: "workers" }),
    place: { leaving: ["w"] },
  },
  { when: "it was cordoned for another pool", node: fresh("w", { ...elsewhere, cordonedFor: "infra" }), place: {} },
  { when: "neither object is there", node: { name: "w", node: null, bootcNode: null }, place: {} },
  { when: "it never matched", node: fresh("w", elsewhere), place: {} },
  { when: "it is another pool's and does not match", node: member("w", other, elsewhere), place: {} },
  {
    when: "another pool of the same name owned it",
    node: member("w", { owner: { name: "workers", uid: "pool-0" } }),
    place: { contested: [{ name: "w", owner: "workers" }] },
  },
])("$when", ({ node, place }) => {
  expect(placesOf([node])).toEqual({ ...nowhere, ...place });
});

test("every node leaves a pool that is being deleted, and none joins it", () => {
  const deleted = pool({}, { isBeingDeleted: true });
  expect(placesOf([member("a"), fresh("b"), member("c", other)], deleted)).toEqual({ ...nowhere, leaving: ["a"] });
});

test("a contested node comes over once the other pool has let it go", () => {
  const infra = pool({ nodeSelector: {} }, { name: "infra", uid: "pool-2" });
  expect(placesOf([member("w")], infra).contested).toEqual([{ name: "w", owner: "workers" }]);
  expect(placesOf([fresh("w")], infra).joining).toEqual(["w"]);
});

test("nodes are in the order of their names, by code units", () => {
  expect(placesOf([member("w2"), member("w10"), member("W3"), member("w1")]).members).toEqual([
    "W3",
    "w1",
    "w10",
    "w2",
  ]);
});

const without = { hasFinalizer: false };

test.for([
  { what: "with a member, and without a finalizer", of: pool({}, without), nodes: [member("w")], lacks: true },
  { what: "with a member and its finalizer", of: pool(), nodes: [member("w")], lacks: false },
  { what: "with a node that is yet to join", of: pool({}, without), nodes: [fresh("w")], lacks: false },
  { what: "without nodes", of: pool({}, without), nodes: [], lacks: false },
  {
    what: "that is being deleted",
    of: pool({}, { ...without, isBeingDeleted: true }),
    nodes: [member("w")],
    lacks: false,
  },
])("a pool $what lacks a finalizer: $lacks", ({ of, nodes, lacks }) => {
  expect(lacksFinalizer(of, membershipOf(of, nodes))).toBe(lacks);
});
