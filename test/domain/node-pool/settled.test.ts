import { expect, test } from "vitest";
import { stepsOf, workOf } from "../../../functions/domain/node-pool/settled.ts";
import type { NodePoolSpec, PoolNode } from "../../../functions/domain/node-pool/types.ts";
import { parseWindow } from "../../../functions/domain/node-pool/windows.ts";
import {
  cordoned,
  failing,
  fresh,
  member,
  pool,
  rebooting,
  slot,
  slotted,
  staged,
  staging,
  tick,
  updated,
} from "./pools.ts";

const never = parseWindow({ schedule: "0 0 30 2 *", durationSeconds: 60 });
const windows = never.kind === "window" ? [never] : [];
const paused = { paused: true };
const gone = { labels: {} };
const bad = { ...updated, ...failing, slot };

test.for<[string, readonly PoolNode[], Partial<NodePoolSpec>, string]>([
  ["all are up to date", [member("a", updated)], {}, "settled"],
  ["there are no nodes", [], {}, "settled"],
  ["one is up to date and cordoned by a person", [member("a", updated, { unschedulable: true })], {}, "settled"],
  ["one may take a slot", [member("a", staged)], {}, "working"],
  ["one stages", [member("a", staging)], {}, "working"],
  ["one stages, paused", [member("a", staging)], paused, "held"],
  ["one is staged, paused", [member("a", staged)], paused, "held"],
  ["one reboots, paused", [member("a", rebooting, cordoned)], paused, "working"],
  ["one drains, paused", [member("a", slotted, cordoned)], paused, "working"],
  ["one is to be asked, paused", [member("a", { desiredImage: "x@y" })], paused, "working"],
  ["one may not be asked", [member("a", { desiredImage: "x@y" })], { ...paused, preStageWhilePaused: false }, "held"],
  ["one is staged, out of hours", [member("a", staged)], { windows }, "held"],
  ["one stages, out of hours", [member("a", staging)], { windows }, "held"],
  ["one is staged, behind another pool", [member("a", staged)], { dependsOn: ["infra"] }, "held"],
  ["one fails without a slot", [member("a", failing), member("b", updated)], {}, "held"],
  ["one fails and another may go on", [member("a", failing), member("b", staged)], {}, "working"],
  ["one fails in the only slot", [member("a", bad), member("b", staged)], {}, "held"],
  [
    "two fail in their slots",
    [member("a", bad), member("b", bad), member("c", staged)],
    { maxUnavailable: { unit: "nodes", amount: 3 } },
    "held",
  ],
  ["one is to be Ready", [member("a", { ...updated, slot }, { ready: false })], {}, "working"],
  ["one joins", [fresh("a")], {}, "working"],
  ["one leaves", [member("a", updated, gone)], {}, "working"],
  ["one is another pool's", [member("a", { owner: null })], {}, "settled"],
])("where %s", ([, nodes, spec, work]) => {
  expect(workOf(tick(nodes, { pool: pool(spec) })).kind).toBe(work);
});

test("what holds it is said once each", () => {
  const nodes = [member("a", staged), member("b", staged), member("c", failing)];
  const held = workOf(tick(nodes, { pool: pool({ windows }) }));
  expect(held).toEqual({
    kind: "held",
    reasons: ["no maintenance window ever opens", "its agent reports an error: stage failed"],
  });
});

test("those that leave come first, then members, then those that join", () => {
  const nodes = [fresh("a"), member("b", staged), member("c", updated, gone), member("d", slotted, cordoned)];
  const pods = new Map([["d", []]]);
  expect(stepsOf(tick(nodes), pods).map(({ name, step }) => `${name}: ${step.kind}`)).toEqual([
    "c: delete",
    "b: wait",
    "d: approve",
    "a: create",
  ]);
});

const circle = [pool({ dependsOn: ["infra"] }), pool({ dependsOn: ["workers"] }, { name: "infra", uid: "pool-2" })];

test.for([
  { when: "its spec cannot be read", seen: { pool: pool({}, { problems: ["x"] }) }, reasons: ["x"] },
  {
    when: "it waits for itself",
    seen: { pool: circle[0] ?? pool(), pools: circle },
    reasons: [expect.stringContaining("workers -> infra -> workers is a circle")],
  },
])("nothing is done where $when", ({ seen, reasons }) => {
  const nodes = [member("a", slotted), member("b", updated, gone), fresh("c")];
  expect(stepsOf(tick(nodes, seen))).toEqual([]);
  expect(workOf(tick(nodes, seen))).toEqual({ kind: "held", reasons });
});

test("from a pool that is being deleted nodes leave whatever its spec says, and then it is settled", () => {
  const deleted = { pool: pool({}, { isBeingDeleted: true, problems: ["x"] }) };
  expect(stepsOf(tick([member("a", slotted, cordoned)], deleted))).toEqual([{ name: "a", step: { kind: "uncordon" } }]);
  expect(workOf(tick([fresh("a")], deleted))).toEqual({ kind: "settled" });
});
