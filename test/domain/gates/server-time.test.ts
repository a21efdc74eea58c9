import { expect, test } from "vitest";
import { gatesAtServerTime } from "../../../functions/domain/gates/server-time.ts";
import { windowsGate } from "../../../functions/domain/gates/windows.ts";
import { noon, workload } from "../../support/workloads.ts";

const hour = 3600;
/** It is noon by the clock of Pawl. */
const subject = workload({ policy: { windows: [{ schedule: "0 12 * * *", durationSeconds: hour }] } });

test.for([
  { when: "a minute behind", aheadSeconds: -60, closed: null },
  {
    when: "an hour behind",
    aheadSeconds: -hour,
    closed: "none of its windows is open, by the API server: the clock of the API server is 1h0m0s behind that of Pawl",
  },
  {
    when: "two hours ahead",
    aheadSeconds: 2 * hour,
    closed:
      "none of its windows is open, by the API server: the clock of the API server is 2h0m0s ahead of that of Pawl",
  },
  { when: "half an hour ahead", aheadSeconds: hour / 2, closed: null },
])("a window is open if the API server is $when: $closed", ({ aheadSeconds, closed }) => {
  const found = gatesAtServerTime(aheadSeconds, [windowsGate]).flatMap(
    ({ evaluate }) => evaluate(subject, null, noon) ?? [],
  );
  const gate = { reason: "ClockWrong", message: closed, liftedBy: "pawl push" };
  expect(found).toEqual(closed === null ? [] : [gate]);
});
