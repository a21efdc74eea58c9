import { expect, test } from "vitest";
import { scheduleGate } from "../../../functions/domain/gates/schedule.ts";
import { endedWindowReason, windowsGate } from "../../../functions/domain/gates/windows.ts";
import { after, noon, policy, workload } from "../../support/workloads.ts";

const windows = [{ schedule: "0 11 * * *", durationSeconds: 3600 }];
const rollsBack = { ...policy, windows, rollsBackAtWindowEnd: true };

test.for([
  { when: "its window has ended", of: rollsBack, startedAt: after(-30), ends: true },
  { when: "its window is open", of: rollsBack, startedAt: after(-30), now: after(-1), ends: false },
  { when: "it began outside its windows", of: rollsBack, startedAt: after(-90), ends: false },
  { when: "it continues then", of: { ...policy, windows }, startedAt: after(-30), ends: false },
  { when: "there are no windows", of: { ...rollsBack, windows: [] }, startedAt: after(-30), ends: false },
  { when: "its start is malformed", of: rollsBack, startedAt: "malformed" as const, ends: false },
])("an update goes back or not if $when", ({ of, startedAt, now = noon, ends }) => {
  expect(endedWindowReason(of, startedAt, now) !== null).toBe(ends);
});

test("a window or a time of the year 9999 is not followed by another one", () => {
  const late = workload({ policy: { windows, schedule: "0 3 * * *" } });
  for (const gate of [windowsGate, scheduleGate])
    expect(Object.keys(gate.evaluate(late, null, new Date("9999-12-31T23:59:59Z")) ?? {})).not.toContain("until");
});
