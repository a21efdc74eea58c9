import { expect, test } from "vitest";
import { stepsOf, workOf } from "../../../functions/domain/node-pool/settled.ts";
import type { NodePoolSpec, PoolNode } from "../../../functions/domain/node-pool/types.ts";
import { parseWindow } from "../../../functions/domain/node-pool/windows.ts";
import { after } from "../../support/workloads.ts";
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

const back = { ...updated, slot: { ...slot, approvedAt: after(0) } };
const unready = { ...cordoned, ready: false };
const three: Partial<NodePoolSpec> = { maxUnavailable: { unit: "nodes", amount: 3 } };
const late: Partial<NodePoolSpec> = { ...three, rebootTimeoutSeconds: 900 };
const twoUnready = [member("a", back, unready), member("b", back, unready)];
const twoOverdue = [member("a", rebooting, unready), member("b", rebooting, unready)];
const approvedAt = (minutes: number) => ({ slot: { ...slot, approvedAt: after(minutes) } });

test.for<{ when: string; nodes: readonly PoolNode[]; spec?: Partial<NodePoolSpec>; minutes: number; work: string }>([
  { when: "two have just rebooted and are not Ready yet", nodes: twoUnready, minutes: 14, work: "working" },
  { when: "two are not Ready long after their reboot", nodes: twoUnready, minutes: 15, work: "held" },
  { when: "two are overdue from their reboot", nodes: twoOverdue, spec: late, minutes: 16, work: "held" },
  { when: "two may reboot as long as they like", nodes: twoOverdue, minutes: 600, work: "working" },
  { when: "only one is not Ready", nodes: twoUnready.slice(0, 1), minutes: 600, work: "working" },
  {
    when: "two are not Ready and a third reboots",
    nodes: [...twoUnready, member("c", { ...rebooting, ...approvedAt(590) }, cordoned)],
    minutes: 600,
    work: "working",
  },
  {
    when: "two are not Ready and a third is as late, without a time limit",
    nodes: [...twoUnready, member("c", rebooting, cordoned)],
    minutes: 600,
    work: "held",
  },
  {
    when: "two are not Ready and a third stages what it is asked for now",
    nodes: [...twoUnready, member("c", { ...staging, slot, askedAt: after(590) }, cordoned)],
    minutes: 600,
    work: "working",
  },
  {
    when: "two are not Ready and a third is being drained",
    nodes: [...twoUnready, member("c", slotted, cordoned)],
    minutes: 600,
    work: "working",
  },
  {
    when: "one of the two is Ready again",
    nodes: [member("a", back, cordoned), member("b", back, unready)],
    minutes: 600,
    work: "working",
  },
  {
    when: "two are not Ready and it is not known since when",
    nodes: ["a", "b"].map((name) =>
      member(name, { ...updated, askedAt: null, slot: { ...slot, takenAt: null } }, unready),
    ),
    minutes: 0,
    work: "held",
  },
])("where $when, after $minutes min: $work", ({ nodes, spec = three, minutes, work }) => {
  const queued = [member("x", staged), member("y", staging)];
  expect(workOf(tick([...nodes, ...queued], { pool: pool(spec), now: after(minutes) })).kind).toBe(work);
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
