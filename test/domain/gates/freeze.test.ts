import { describe, expect, test } from "vitest";
import { createFreezeGate, type Freeze, freezeRollbackReason } from "../../../functions/domain/gates/freeze.ts";
import { gatesOfHold, passGates } from "../../../functions/domain/gates/gates.ts";
import { planCheckRecord } from "../../../functions/domain/workload/record/record-check.ts";
import { after, noon, updateTarget, workload } from "../../support/workloads.ts";

const christmas: Freeze = {
  from: after(-60),
  to: after(60),
  reason: "Christmas",
  by: null,
  namespaces: null,
  rollBack: false,
};
const subject = workload();

function evaluate(...freezes: readonly Freeze[]) {
  return createFreezeGate({ kind: "known", freezes }).evaluate(subject, updateTarget, noon);
}

describe("the gate of freezes", () => {
  test.for<{ when: string; freezes: readonly Freeze[]; closed: object | null }>([
    { when: "there is none", freezes: [], closed: null },
    { when: "it begins now", freezes: [{ ...christmas, from: noon }], closed: { until: after(60) } },
    { when: "it begins later", freezes: [{ ...christmas, from: after(1) }], closed: null },
    { when: "it ends now", freezes: [{ ...christmas, to: noon }], closed: null },
    { when: "it is of this namespace", freezes: [{ ...christmas, namespaces: ["b", "shop"] }], closed: {} },
    { when: "it is of another namespace", freezes: [{ ...christmas, namespaces: ["team-b"] }], closed: null },
    {
      when: "one does not end by itself",
      freezes: [christmas, { ...christmas, to: null, by: "anna", reason: "incident 7" }],
      closed: { message: "updates are frozen: Christmas, until 2026-11-20T13:00:00Z; incident 7, by anna" },
    },
  ])("$when", ({ freezes, closed }) => {
    const found = evaluate(...freezes);
    expect(closed === null || found === null ? closed : { ...found, ...closed }).toEqual(found);
  });

  test("names who lifts each", () => {
    const calendar = { ...christmas, liftedBy: "who may edit the calendar" };
    expect(evaluate(christmas, calendar, christmas)).toMatchObject({
      liftedBy: "pawl unfreeze and who may edit the calendar",
    });
  });

  test("is closed if the freezes are not known", () => {
    const gate = createFreezeGate({ kind: "unknown", reason: "forbidden" });
    expect(gate.evaluate(subject, updateTarget, noon)).toMatchObject({
      reason: "FreezeUnknown",
      message: "whether updates are frozen is not known: forbidden",
    });
  });
});

test.for<{ when: string; freeze: Partial<Freeze>; startedAt?: Date | "malformed"; goesBack: boolean }>([
  { when: "says so, and began after it", freeze: { rollBack: true }, goesBack: true },
  { when: "only holds", freeze: {}, goesBack: false },
  {
    when: "began before it, so that a person started it",
    freeze: { rollBack: true },
    startedAt: after(-60),
    goesBack: false,
  },
  { when: "says so, and has no begin", freeze: { rollBack: true, from: null }, goesBack: true },
  { when: "is over", freeze: { rollBack: true, to: noon }, goesBack: false },
  { when: "is of another namespace", freeze: { rollBack: true, namespaces: ["b"] }, goesBack: false },
  { when: "says so, and its start is malformed", freeze: { rollBack: true }, startedAt: "malformed", goesBack: false },
])("an update in progress goes back or not if a freeze $when", ({ freeze, startedAt = after(-90), goesBack }) => {
  const freezes = { kind: "known", freezes: [{ ...christmas, ...freeze }] } as const;
  expect(freezeRollbackReason(freezes, subject, startedAt, noon) !== null).toBe(goesBack);
});

test("an update in progress continues if the freezes are not known", () => {
  expect(freezeRollbackReason({ kind: "unknown", reason: "forbidden" }, subject, after(-90), noon)).toBeNull();
});

describe("a hold by a freeze", () => {
  const update = { kind: "update", target: updateTarget, available: "1.1.0" } as const;
  const frozen = createFreezeGate({ kind: "known", freezes: [christmas] });

  test("carries the gate, which is recorded once, also after it was sent as JSON", () => {
    const held = passGates(subject, update, noon, frozen);
    expect(held).toMatchObject({ kind: "hold", reason: "frozen", available: "1.1.0", gates: [{ name: "freeze" }] });
    const sent = JSON.parse(JSON.stringify(held));
    const gates = planCheckRecord(subject, sent, noon).change?.gates ?? [];
    expect(gates).toMatchObject([{ name: "freeze", reason: "Frozen", until: after(60) }]);
    expect(planCheckRecord({ ...subject, gates }, sent, noon).change?.gates).toBeUndefined();
  });

  test("by another gate too has both", () => {
    const windows = [{ schedule: "0 13 * * *", durationSeconds: 60 }];
    const outside = workload({ policy: { windows } });
    const held = passGates(outside, update, noon, frozen);
    if (held.kind !== "hold") throw new Error("not held");
    expect(gatesOfHold(outside, held, noon).map(({ name }) => name)).toEqual(["windows", "freeze"]);
  });

  test("has no end that it has not", () => {
    const endless = createFreezeGate({ kind: "known", freezes: [{ ...christmas, to: null }] });
    const held = passGates(subject, update, noon, endless);
    if (held.kind !== "hold") throw new Error("not held");
    expect(gatesOfHold(subject, held, noon)).toEqual([expect.not.objectContaining({ until: expect.anything() })]);
  });

  test("of another gate, while the freeze is open, has only that gate", () => {
    const windows = [{ schedule: "0 13 * * *", durationSeconds: 60 }];
    const outside = workload({ policy: { windows } });
    const open = createFreezeGate({ kind: "known", freezes: [] });
    const closed = { ...frozen, name: "other", evaluate: () => ({ reason: "Other", message: "other" }) };
    expect(passGates(outside, update, noon, closed, open)).toMatchObject({ gates: [{ name: "other" }] });
  });
});
