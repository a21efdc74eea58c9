import { expect, test } from "vitest";
import { hold } from "../../../../functions/domain/workload/decision/decision.ts";
import { recordCheck } from "../../../../functions/domain/workload/record/record-check.ts";
import { noon, workload } from "../../../support/workloads.ts";
import { problemsOf } from "../../../support/problems.ts";

/** Longer than a condition may be, with a character of two code units at the place where it is truncated. */
const long = `${"x".repeat(4094)}😀${"y".repeat(40_000)}`;
const stored = `${"x".repeat(4094)}…`;

test.for([
  {
    what: "problem",
    decision: { kind: "problem", problems: problemsOf(long, "another") } as const,
    lastReported: { problem: stored },
  },
  { what: "hold", decision: hold("unknown-version", long), lastReported: { held: stored } },
])("a long $what is stored as it is compared at the next poll, so that it is reported once", (row) => {
  const initial = workload({ updateRecord: { currentVersion: "1.0.0" } });
  const { change, events } = recordCheck(initial, row.decision, noon);
  expect(change).toEqual({ lastReported: row.lastReported });
  expect(events).toHaveLength(1);
  const reported = { ...initial, lastReported: { held: null, problem: null, ...row.lastReported } };
  expect(recordCheck(reported, row.decision, noon)).toEqual({ change: null, events: [] });
});
