import { describe, expect, test } from "vitest";
import type { ClosedGate } from "../../../functions/domain/gates/closed-gate.ts";
import { closedGates, closedSince, isHeldByGate } from "../../../functions/domain/gates/gates.ts";
import { hold } from "../../../functions/domain/workload/decision/decision.ts";
import { planCheckRecord } from "../../../functions/domain/workload/record/record-check.ts";
import type { Target } from "../../../functions/domain/workload/target/target.ts";
import type { BackOff } from "../../../functions/domain/workload/workload.ts";
import { after, claw, noon, updateTarget, workload, type WorkloadParts } from "../../support/workloads.ts";

const backOff: BackOff = {
  reason: "Refused",
  message: "denied",
  target: updateTarget,
  attempts: 1,
  until: after(5),
  execution: null,
};
const setBack: WorkloadParts = { image: "registry.example/shop/app:0.9.0", updateRecord: { currentVersion: "1.0.0" } };
const daily: WorkloadParts = { policy: { schedule: "0 3 * * *" }, updateRecord: { lastCheck: after(-60) } };
const atNoon = (lastCheck: Date | null = after(-1440)): WorkloadParts => ({
  policy: { schedule: "30 11 * * *" },
  updateRecord: { lastCheck },
});
const weekly = { schedule: "0 13 * * MON", durationSeconds: 3600, zone: "Europe/Berlin" };
const limited: ClosedGate = { name: "limits", reason: "Limited", message: "7th of 41" };

describe("a gate is closed, with its name, its end and who lifts it, if", () => {
  test.for<{ when: string; parts: WorkloadParts; target?: Target | null; gates: readonly object[] }>([
    { when: "nothing is in the way", parts: {}, gates: [] },
    {
      when: "it is suspended",
      parts: { policy: { paused: true } },
      gates: [{ name: "suspended", reason: "Suspended", liftedBy: "pawl resume" }],
    },
    {
      when: "its schedule is not due",
      parts: daily,
      gates: [{ name: "schedule", reason: "NotDue", until: new Date("2026-11-21T03:00:00Z") }],
    },
    { when: "its schedule is due", parts: atNoon(), gates: [] },
    { when: "its schedule is due for the first time", parts: atNoon(null), gates: [] },
    { when: "it was checked since its schedule was due", parts: atNoon(after(-10)), gates: [{ name: "schedule" }] },
    {
      when: "its schedule was due longer ago than its tolerance",
      parts: { ...atNoon(), policy: { schedule: "30 11 * * *", scheduleToleranceSeconds: 1800 } },
      gates: [{ name: "schedule", until: new Date("2026-11-21T11:30:00Z") }],
    },
    {
      when: "its schedule was due long ago, and it has no tolerance",
      parts: { policy: { schedule: "0 3 * * *", scheduleToleranceSeconds: null }, updateRecord: { lastCheck: null } },
      gates: [],
    },
    {
      when: "it was checked within its schedule, and backs off from then",
      parts: { ...atNoon(after(-10)), backOff },
      gates: [{ name: "back-off" }],
    },
    {
      when: "it was checked within its schedule, and stalled",
      parts: { ...atNoon(after(-10)), backOff: { ...backOff, reason: "Failed", attempts: 3 } },
      gates: [{ name: "schedule" }, { name: "back-off" }],
    },
    {
      when: "its interval counts from the last check",
      parts: { policy: { schedule: "@every 2h" }, updateRecord: { lastCheck: after(-60) } },
      gates: [{ name: "schedule", until: after(60) }],
    },
    {
      when: "its interval is not over, and it was held by a gate that opens by itself",
      parts: { policy: { schedule: "@every 2h" }, updateRecord: { lastCheck: after(-60) }, gates: [limited] },
      gates: [],
    },
    { when: "its first interval begins", parts: { policy: { schedule: "@every 2h" } }, gates: [] },
    {
      when: "no window is open",
      parts: { policy: { windows: [weekly] } },
      gates: [
        { name: "windows", reason: "WindowClosed", until: new Date("2026-11-23T12:00:00Z"), liftedBy: "pawl push" },
      ],
    },
    {
      when: "a window is open",
      parts: { policy: { windows: [weekly, { schedule: "0 12 * * FRI", durationSeconds: 60 }] } },
      gates: [],
    },
    {
      when: "a window cannot be parsed, which is a problem",
      parts: { policy: { windows: [{ schedule: "often", durationSeconds: 60 }] } },
      gates: [],
    },
    { when: "its schedule is invalid, which is a problem", parts: { policy: { schedule: "often" } }, gates: [] },
    {
      when: "the circuit is open for a digest",
      parts: { updateRecord: { circuitOpen: true } },
      target: { kind: "digest", image: "app:prod", digest: "sha256:1" },
      gates: [{ message: "the circuit is open: prod@sha256:1 is available but not applied" }],
    },
    {
      when: "the last attempt was refused",
      parts: { backOff },
      gates: [{ name: "back-off", reason: "Refused", until: after(5), liftedBy: "pawl retry" }],
    },
    { when: "an attempt for another version was refused", parts: { backOff }, target: null, gates: [] },
    { when: "its back-off is over", parts: { backOff: { ...backOff, until: noon } }, gates: [] },
    {
      when: "a person has set an older version, and nothing is newer",
      parts: setBack,
      target: null,
      gates: [{ name: "manual-change", reason: "ManualChange", liftedBy: "pawl retry" }],
    },
    { when: "a person has set an older version, and something is newer", parts: setBack, gates: [] },
  ])("$when", ({ parts, target = updateTarget, gates }) => {
    const found = closedGates(workload(parts), target, noon);
    expect(found).toMatchObject(gates);
    expect(found).toHaveLength(gates.length);
  });
});

test("a step evaluates again what may have closed since the poll, and not what the update itself closes", () => {
  expect(closedSince(workload({ policy: { paused: true } }), null, noon)).toMatch(/suspended/);
  expect(closedSince(workload({ updateRecord: { circuitOpen: true } }), null, noon)).toBe("the circuit is open");
  expect(closedSince(workload(daily), null, noon)).toMatch(/is not due/);
  expect(closedSince(workload({ policy: { windows: [weekly] } }), null, noon)).toBe("none of its windows is open");
  expect(closedSince(workload({ ...atNoon(), backOff }), null, noon)).toBeNull();
});

test("a hold is by a gate or not", () => {
  expect(isHeldByGate(hold("circuit-open", ""))).toBe(true);
  expect(isHeldByGate(hold("unknown-version", ""))).toBe(false);
});

describe("a poll records the gates", () => {
  const paused = hold("paused", "it is paused");
  const suspended = workload({ policy: { paused: true } });
  const gatesAfter = (initial = suspended, decision = paused) => planCheckRecord(initial, decision, noon).change?.gates;

  test("again if one has changed", () => {
    const [gate] = gatesAfter() ?? [];
    if (gate === undefined) throw new Error("no gate");
    for (const change of [{ name: "x" }, { reason: "x" }, { message: "x" }, { until: noon }, { liftedBy: "x" }])
      expect(gatesAfter({ ...suspended, gates: [{ ...gate, ...change }] })).toEqual([gate]);
  });

  test("as none once they are open, and once nothing newer is held by them", () => {
    const [gate] = gatesAfter() ?? [];
    const closed = { ...workload({ gates: gate === undefined ? [] : [gate] }) };
    expect(gatesAfter(closed, hold("no-newer-version", "none"))).toEqual([]);
    const evaluated = { state: "UpToDate", reason: "NewestVersion", message: "none" } as const;
    expect(gatesAfter({ ...closed, evaluated }, hold("not-due", "later"))).toEqual([]);
  });

  test("of no kind that has no place for them", () => {
    expect(gatesAfter(claw({ policy: { paused: true } }))).toBeUndefined();
  });
});
