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

const at = (hour: number, durationSeconds = 3600) => [{ schedule: `0 ${hour} * * *`, durationSeconds }];
const hours = 3600_000;

// It is noon.
test.for([
  { when: "both are open", own: at(12), enforced: [at(11, 7200)], closed: null },
  {
    when: "that of the deployment is closed",
    own: at(12),
    enforced: [at(9, 7200)],
    closed: { message: "none of the windows that the deployment enforces is open" },
  },
  {
    when: "that of the workload is closed, and both open later",
    own: at(14, 7200),
    enforced: [at(15, 7200), at(15)],
    closed: { message: "none of its windows is open", until: new Date(noon.getTime() + 3 * hours) },
  },
  { when: "it has none", own: [], enforced: [at(13)], closed: { until: new Date(noon.getTime() + hours) } },
])("windows of a workload and of its deployment: $when", ({ own, enforced, closed }) => {
  const subject = workload({ policy: { windows: own, enforcedWindows: enforced } });
  const found = windowsGate.evaluate(subject, null, noon);
  expect(found === null ? null : { ...found, ...closed }).toEqual(closed === null ? null : found);
});

test("windows that never coincide have no end", () => {
  const subject = workload({ policy: { windows: at(9), enforcedWindows: [at(15)] } });
  expect(windowsGate.evaluate(subject, null, noon)).not.toHaveProperty("until");
});

test("an update goes back if a window of the deployment has ended", () => {
  const of = { ...policy, windows: at(11, 7200), enforcedWindows: [at(11)], rollsBackAtWindowEnd: true };
  expect(endedWindowReason(of, after(-30), noon)).toContain("its window has ended");
});

test("a window or a time of the year 9999 is not followed by another one", () => {
  const late = workload({ policy: { windows, schedule: "0 3 * * *" } });
  for (const gate of [windowsGate, scheduleGate])
    expect(Object.keys(gate.evaluate(late, null, new Date("9999-12-31T23:59:59Z")) ?? {})).not.toContain("until");
});
