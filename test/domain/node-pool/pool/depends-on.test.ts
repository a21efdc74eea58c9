import { expect, test } from "vitest";
import { findDependencyCycle, pendingDependencies } from "../../../../functions/domain/node-pool/pool/depends-on.ts";
import type {
  NodePool,
  NodePoolSpec,
  NodePoolStatus,
  PoolCondition,
} from "../../../../functions/domain/node-pool/pool/node-pool.ts";
import { digestB, digestC, failing, member, pool, slot, unmanagedNode, updated } from "../pools.ts";

const graph = (edges: Record<string, string[]>) =>
  Object.entries(edges).map(([name, dependsOn]) => ({ name, spec: { dependsOn } }));

test.for([
  { edges: { a: [] }, cycle: null },
  { edges: { a: ["b"], b: ["c"], c: [] }, cycle: null },
  { edges: { a: ["missing"] }, cycle: null },
  { edges: { b: [] }, cycle: null },
  { edges: { a: ["a"] }, cycle: ["a", "a"] },
  { edges: { a: ["b"], b: ["a"] }, cycle: ["a", "b", "a"] },
  { edges: { a: ["x", "b"], x: [], b: ["c"], c: ["a"] }, cycle: ["a", "b", "c", "a"] },
  { edges: { a: ["b", "c"], b: ["d"], c: ["d"], d: [] }, cycle: null },
  { edges: { a: ["b"], b: ["c"], c: ["b"] }, cycle: null },
])("$edges: $cycle", ({ edges, cycle }) => {
  expect(findDependencyCycle("a", graph(edges as Record<string, string[]>))).toEqual(cycle);
});

const upToDate: PoolCondition = { type: "UpToDate", status: "True", reason: "AllUpdated", message: "" };
const inProgress: PoolCondition = { type: "UpToDate", status: "False", reason: "RolloutInProgress", message: "" };
const degraded: PoolCondition = { type: "Degraded", status: "True", reason: "NodeDegraded", message: "" };

const pending = ["infra, which is not up to date"];
const upToDateStatus = { deployedDigest: digestB, conditions: [upToDate] };
const tag = "quay.io/example/myos:1";
const newTag = "quay.io/example/myos:2";

test.for<{
  when: string;
  spec?: Partial<NodePoolSpec>;
  rest?: Partial<Omit<NodePool, "spec" | "status">>;
  status?: Partial<NodePoolStatus>;
  waits: readonly string[];
}>([
  { when: "it is up to date", status: upToDateStatus, waits: [] },
  { when: "it is rolling out", status: { conditions: [inProgress] }, waits: pending },
  { when: "it has no conditions yet", waits: pending },
  { when: "only Degraded is True", status: { ...upToDateStatus, conditions: [degraded] }, waits: pending },
  { when: "its spec has changed since", rest: { generation: 2 }, status: upToDateStatus, waits: pending },
  { when: "it is being deleted", rest: { isBeingDeleted: true }, status: upToDateStatus, waits: pending },
  { when: "it does not exist", rest: { name: "else" }, status: upToDateStatus, waits: ["infra, which does not exist"] },
  {
    when: "its status was written by bootc-operator, without a reference",
    status: { ...upToDateStatus, targetRef: null },
    waits: pending,
  },
  {
    when: "a step observed its new tag before a poll resolved it",
    spec: { imageRef: newTag },
    status: { ...upToDateStatus, targetRef: tag },
    waits: ["infra, whose tag is not resolved yet"],
  },
  {
    when: "its tag was never resolved",
    spec: { imageRef: tag },
    status: { targetRef: null, targetDigest: null, deployedDigest: null, tagProblem: "404" },
    waits: ["infra, whose tag cannot be resolved"],
  },
  {
    when: "its target is new, and its nodes are not counted again yet",
    spec: { imageRef: tag },
    status: { ...upToDateStatus, targetRef: tag, targetDigest: digestC },
    waits: pending,
  },
])("waits for a pool if $when", ({ spec = {}, rest = {}, status = {}, waits }) => {
  const infra = pool(spec, { name: "infra", uid: "pool-2", ...rest, status });
  expect(pendingDependencies(pool({ dependsOn: ["infra"] }), [infra], [infraNode("a")])).toEqual(waits);
});

const empty = "infra, which has no nodes (if it may be empty, set its allowEmpty: true)";
test("a pool that waits names the whole chain, and a cycle once", () => {
  const base = pool({}, { name: "base", uid: "pool-3", status: { conditions: [inProgress] } });
  const infra = pool({ dependsOn: ["base"] }, { name: "infra", uid: "pool-2", status: { conditions: [inProgress] } });
  const workers = pool({ dependsOn: ["infra"] });
  expect(pendingDependencies(workers, [workers, infra, base], [])).toEqual([
    "infra, which is not up to date and waits for base, which is not up to date",
  ]);
  const done = { ...base, spec: { ...base.spec, allowEmpty: true }, status: { ...base.status, ...upToDateStatus } };
  expect(pendingDependencies(workers, [workers, infra, done], [])).toEqual(["infra, which is not up to date"]);
  const back = { ...base, spec: { ...base.spec, dependsOn: ["workers"] } };
  const one = { ...workers, status: { ...workers.status, conditions: [inProgress] } };
  expect(pendingDependencies(one, [one, infra, back], [])).toEqual([
    "infra, which is not up to date and waits for base, which is not up to date and waits for workers, which is not up to date",
  ]);
});

const infraNode = (name: string, bootc: object = {}, node: object = {}) =>
  member(name, { ...updated, owner: { name: "infra", uid: "pool-2" }, ...bootc }, node);
test.for([
  { when: "its nodes are Ready without slots", nodes: [infraNode("a"), infraNode("b")], waits: [] },
  {
    when: "a node that has left it still holds a slot",
    nodes: [infraNode("a"), infraNode("b", { slot }, { labels: {} })],
    waits: ["infra, which has nodes in slots"],
  },
  {
    when: "nodes without slots are not Ready",
    nodes: [infraNode("a", {}, { ready: false }), infraNode("b"), unmanagedNode("c", { ready: false })],
    waits: ["infra, which has nodes that are not Ready: a, c"],
  },
  { when: "a node is degraded and Ready, as its status says", nodes: [infraNode("a", failing)], waits: [] },
  { when: "it has no nodes", nodes: [], waits: [empty] },
  { when: "its selector matches none of the nodes", nodes: [member("a", {}, { labels: {} })], waits: [empty] },
  { when: "its only node has left it", nodes: [infraNode("a", {}, { labels: {} })], waits: [empty] },
  { when: "it has no nodes, and may be empty", spec: { allowEmpty: true }, deployed: digestC, nodes: [], waits: [] },
  { when: "a node was cordoned manually", nodes: [infraNode("a", {}, { unschedulable: true })], waits: [] },
])("a pool that is up to date: waits if $when", ({ nodes, waits, spec = {}, deployed = digestB }) => {
  const status = { ...upToDateStatus, deployedDigest: deployed };
  const infra = pool(spec, { name: "infra", uid: "pool-2", status });
  expect(pendingDependencies(pool({ dependsOn: ["infra"] }), [infra], nodes)).toEqual(waits);
});
