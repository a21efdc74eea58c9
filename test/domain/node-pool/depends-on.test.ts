import { expect, test } from "vitest";
import { cycleThrough, whatComesFirst } from "../../../functions/domain/node-pool/depends-on.ts";
import type {
  NodePool,
  NodePoolSpec,
  NodePoolStatus,
  PoolCondition,
} from "../../../functions/domain/node-pool/types.ts";
import { digestB, digestC, pool } from "./pools.ts";

const graph = (edges: Record<string, string[]>) =>
  Object.entries(edges).map(([name, dependsOn]) => ({ name, spec: { dependsOn } }));

test.for([
  { edges: { a: [] }, cycle: null },
  { edges: { a: ["b"], b: ["c"], c: [] }, cycle: null },
  { edges: { a: ["nobody"] }, cycle: null },
  { edges: { b: [] }, cycle: null },
  { edges: { a: ["a"] }, cycle: ["a", "a"] },
  { edges: { a: ["b"], b: ["a"] }, cycle: ["a", "b", "a"] },
  { edges: { a: ["x", "b"], x: [], b: ["c"], c: ["a"] }, cycle: ["a", "b", "c", "a"] },
  { edges: { a: ["b", "c"], b: ["d"], c: ["d"], d: [] }, cycle: null },
  { edges: { a: ["b"], b: ["c"], c: ["b"] }, cycle: null },
])("$edges: $cycle", ({ edges, cycle }) => {
  expect(cycleThrough("a", graph(edges as Record<string, string[]>))).toEqual(cycle);
});

const done: PoolCondition = { type: "UpToDate", status: "True", reason: "AllUpdated", message: "" };
const busy: PoolCondition = { type: "UpToDate", status: "False", reason: "RolloutInProgress", message: "" };
const well: PoolCondition = { type: "Degraded", status: "True", reason: "NodeDegraded", message: "" };

const notThere = ["infra, which is not up to date"];
const atRest = { deployedDigest: digestB, conditions: [done] };
const tag = "quay.io/example/myos:1";
const newTag = "quay.io/example/myos:2";

test.for<{
  when: string;
  spec?: Partial<NodePoolSpec>;
  rest?: Partial<Omit<NodePool, "spec" | "status">>;
  status?: Partial<NodePoolStatus>;
  waits: readonly string[];
}>([
  { when: "it is up to date", status: atRest, waits: [] },
  { when: "it is up to date by tag", spec: { imageRef: tag }, status: { ...atRest, targetRef: tag }, waits: [] },
  {
    when: "it is up to date, and its registry does not answer any more",
    spec: { imageRef: tag },
    status: { ...atRest, targetRef: tag, tagProblem: "503" },
    waits: [],
  },
  { when: "it rolls out", status: { conditions: [busy] }, waits: notThere },
  { when: "it has said nothing yet", waits: notThere },
  { when: "only its Degraded is True", status: { ...atRest, conditions: [well] }, waits: notThere },
  { when: "it was changed since", rest: { generation: 2 }, status: atRest, waits: notThere },
  { when: "it is being deleted", rest: { isBeingDeleted: true }, status: atRest, waits: notThere },
  { when: "it does not exist", rest: { name: "else" }, status: atRest, waits: ["infra, which does not exist"] },
  {
    when: "its status was written by bootc-operator, which names no reference",
    status: { ...atRest, targetRef: null },
    waits: notThere,
  },
  {
    when: "a step has seen its new tag before a poll resolved it",
    spec: { imageRef: newTag },
    status: { ...atRest, targetRef: tag },
    waits: ["infra, whose tag is not resolved yet"],
  },
  {
    when: "its new tag cannot be resolved",
    spec: { imageRef: newTag },
    status: { ...atRest, targetRef: tag, tagProblem: "503" },
    waits: ["infra, whose tag cannot be resolved"],
  },
  {
    when: "its tag was never resolved",
    spec: { imageRef: tag },
    status: { targetRef: null, targetDigest: null, deployedDigest: null, tagProblem: "404" },
    waits: ["infra, whose tag cannot be resolved"],
  },
  {
    when: "its tag could not be resolved before it was changed again",
    spec: { imageRef: newTag },
    rest: { generation: 2 },
    status: { ...atRest, targetRef: tag, tagProblem: "503" },
    waits: notThere,
  },
  {
    when: "its target is new, and its nodes are not counted anew yet",
    spec: { imageRef: tag },
    status: { ...atRest, targetRef: tag, targetDigest: digestC },
    waits: notThere,
  },
])("waits for a pool where $when", ({ spec = {}, rest = {}, status = {}, waits }) => {
  const infra = pool(spec, { name: "infra", uid: "pool-2", ...rest, status });
  expect(whatComesFirst(pool({ dependsOn: ["infra"] }), [infra])).toEqual(waits);
});
