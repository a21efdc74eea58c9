import { expect, test } from "vitest";
import { planSteps, assessWork } from "../../../../functions/domain/node-pool/step/plan-steps.ts";
import type { PoolNode } from "../../../../functions/domain/node-pool/node/bootc-node.ts";
import type { NodePoolSpec } from "../../../../functions/domain/node-pool/pool/node-pool.ts";
import { parseWindow } from "../../../../functions/domain/schedule/maintenance-windows.ts";
import { after } from "../../../support/workloads.ts";
import {
  cordoned,
  failing,
  unmanagedNode,
  member,
  pool,
  rebooting,
  slot,
  slotted,
  staged,
  staging,
  poolState,
  updated,
} from "../pools.ts";

const leapDay = parseWindow({ schedule: "0 0 29 2 *", durationSeconds: 60 });
const windows = leapDay.kind === "window" ? [leapDay] : [];
const paused = { paused: true };
const unlabelled = { labels: {} };
const failedHolder = { ...updated, ...failing, slot };

test.for<[string, readonly PoolNode[], Partial<NodePoolSpec>, string]>([
  ["all are up to date", [member("a", updated)], {}, "completed"],
  ["there are no nodes", [], {}, "completed"],
  ["one is up to date and cordoned manually", [member("a", updated, { unschedulable: true })], {}, "completed"],
  ["one can acquire a slot", [member("a", staged)], {}, "working"],
  ["one stages", [member("a", staging)], {}, "working"],
  ["one stages, paused", [member("a", staging)], paused, "held"],
  ["one is staged, paused", [member("a", staged)], paused, "held"],
  ["one reboots, paused", [member("a", rebooting, cordoned)], paused, "working"],
  ["one drains, paused", [member("a", slotted, cordoned)], paused, "working"],
  ["one gets a request, paused", [member("a", { desiredImage: "x@y" })], paused, "working"],
  ["one is staged, outside every window", [member("a", staged)], { windows }, "held"],
  ["one stages, outside every window", [member("a", staging)], { windows }, "held"],
  ["one is staged, and depends on another pool", [member("a", staged)], { dependsOn: ["infra"] }, "held"],
  ["one fails without a slot", [member("a", failing), member("b", updated)], {}, "held"],
  ["one fails and another can continue", [member("a", failing), member("b", staged)], {}, "working"],
  ["one fails in the only slot", [member("a", failedHolder), member("b", staged)], {}, "held"],
  ["one is not Ready yet", [member("a", { ...updated, slot }, { ready: false })], {}, "working"],
  ["one has to stay Ready", [member("a", { ...updated, slot: { ...slot, bootedAt: after(0) } })], {}, "working"],
  ["one without a slot is not Ready", [member("a", updated, { ready: false }), member("b", staged)], {}, "held"],
  ["one joins", [unmanagedNode("a")], {}, "working"],
  ["one leaves", [member("a", updated, unlabelled)], {}, "working"],
  ["one belongs to another pool", [member("a", { owner: null })], {}, "completed"],
])("if %s", ([, nodes, spec, work]) => {
  expect(assessWork(poolState(nodes, { pool: pool(spec) })).kind).toBe(work);
});

const rebootedRecently = { ...updated, slot: { ...slot, approvedAt: after(0), bootedAt: after(0) } };
const notReady = { ...cordoned, ready: false };
const maxUnavailable3: Partial<NodePoolSpec> = {
  maxUnavailable: { unit: "nodes", amount: 3 },
  rebootTimeoutSeconds: null,
};
const withTimeout: Partial<NodePoolSpec> = { ...maxUnavailable3, rebootTimeoutSeconds: 900 };
const twoNotReady = [member("a", rebootedRecently, notReady), member("b", rebootedRecently, notReady)];
const twoOverdue = [member("a", rebooting, notReady), member("b", rebooting, notReady)];

test.for<{ when: string; nodes: readonly PoolNode[]; spec?: Partial<NodePoolSpec>; minutes: number; work: string }>([
  { when: "two have just rebooted and are not Ready yet", nodes: twoNotReady, minutes: 14, work: "working" },
  { when: "two are not Ready long after their reboot", nodes: twoNotReady, minutes: 15, work: "held" },
  { when: "two are overdue from their reboot", nodes: twoOverdue, spec: withTimeout, minutes: 16, work: "held" },
  { when: "two reboot without a timeout", nodes: twoOverdue, minutes: 600, work: "working" },
  { when: "only one is not Ready", nodes: twoNotReady.slice(0, 1), minutes: 600, work: "working" },
  {
    when: "two are not Ready and a third stages its desired image",
    nodes: [...twoNotReady, member("c", { ...staging, slot, requestedAt: after(590) }, cordoned)],
    minutes: 600,
    work: "working",
  },
])("if $when, after $minutes min: $work", ({ nodes, spec = maxUnavailable3, minutes, work }) => {
  const queued = [member("x", staged), member("y", staging)];
  expect(assessWork(poolState([...nodes, ...queued], { pool: pool(spec), now: after(minutes) })).kind).toBe(work);
});

test("a window of the year 9999 is the last one", () => {
  const state = poolState([member("a", staged)], { pool: pool({ windows }), now: new Date("9999-12-31T00:00:00Z") });
  expect(assessWork(state)).toEqual({ kind: "held", reasons: ["no maintenance window ever opens"] });
});

test("leaving nodes come first, then members, then joining nodes", () => {
  const nodes = [
    unmanagedNode("a"),
    member("b", staged),
    member("c", updated, unlabelled),
    member("d", slotted, cordoned),
  ];
  const pods = new Map([["d", []]]);
  expect(planSteps(poolState(nodes), pods).map(({ name, step }) => `${name}: ${step.kind}`)).toEqual([
    "c: delete",
    "b: wait",
    "d: approve",
    "a: create",
  ]);
});

const cycle = [pool({ dependsOn: ["infra"] }), pool({ dependsOn: ["workers"] }, { name: "infra", uid: "pool-2" })];

test.for([
  { when: "its spec is invalid", seen: { pool: pool({}, { problems: ["x"] }) }, reasons: ["x"] },
  {
    when: "it depends on itself",
    seen: { pool: cycle[0] ?? pool(), pools: cycle },
    reasons: [expect.stringContaining("workers -> infra -> workers is a dependency cycle")],
  },
])("nothing is done if $when", ({ seen, reasons }) => {
  const nodes = [member("a", slotted), member("b", updated, unlabelled), unmanagedNode("c")];
  expect(planSteps(poolState(nodes, seen))).toEqual([]);
  expect(assessWork(poolState(nodes, seen))).toEqual({ kind: "held", reasons });
});

test("nodes leave a deleted pool even if its spec is invalid, and then it is completed", () => {
  const deleted = { pool: pool({}, { isBeingDeleted: true, problems: ["x"] }) };
  expect(planSteps(poolState([member("a", slotted, cordoned)], deleted))).toEqual([
    { name: "a", step: { kind: "uncordon" } },
  ]);
  expect(assessWork(poolState([unmanagedNode("a")], deleted))).toEqual({ kind: "completed" });
});
