import { expect, test } from "vitest";
import { hold } from "../../../../functions/domain/workload/decision/decision.ts";
import { planCheckRecord } from "../../../../functions/domain/workload/record/record-check.ts";
import { noon, workload } from "../../../support/workloads.ts";

test("an Event says that the records start again, and whose they were", () => {
  const { record } = workload();
  const initial = workload({ record: { ...record, state: "changed", foreign: "the repository other.example/app" } });
  const { events } = planCheckRecord(initial, hold("no-newer-version", ""), noon);
  expect(events).toMatchObject([
    {
      reason: "AutoUpdateRecordsReset",
      message:
        "versions, failures, holds and releases are recorded again: those before were of the repository other.example/app",
    },
  ]);
});
