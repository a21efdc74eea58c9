import { expect, test } from "vitest";
import { cycleThrough, whatComesFirst } from "../../../functions/domain/node-pool/depends-on.ts";
import type { PoolCondition } from "../../../functions/domain/node-pool/types.ts";
import { pool } from "./pools.ts";

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

test.for([
  { when: "it is up to date", rest: { status: { conditions: [done] } }, waits: [] },
  { when: "it rolls out", rest: { status: { conditions: [busy] } }, waits: ["infra, which is not up to date"] },
  { when: "it has said nothing yet", rest: {}, waits: ["infra, which is not up to date"] },
  {
    when: "only its Degraded is True",
    rest: { status: { conditions: [well] } },
    waits: ["infra, which is not up to date"],
  },
  {
    when: "it was changed since",
    rest: { generation: 2, status: { conditions: [done] } },
    waits: ["infra, which is not up to date"],
  },
  {
    when: "it is being deleted",
    rest: { isBeingDeleted: true, status: { conditions: [done] } },
    waits: ["infra, which is not up to date"],
  },
  { when: "it does not exist", rest: { name: "else" }, waits: ["infra, which does not exist"] },
])("waits for a pool where $when", ({ rest, waits }) => {
  const infra = pool({}, { name: "infra", uid: "pool-2", ...rest });
  expect(whatComesFirst(pool({ dependsOn: ["infra"] }), [infra])).toEqual(waits);
});
