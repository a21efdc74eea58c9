import { expect, test } from "vitest";
import { formatLine, parseLine } from "../../../../functions/workflows/poll/fan-out/workload-line.ts";
import { after, noon, updatingWorkload, workload, type WorkloadParts } from "../../../support/workloads.ts";
import { problemsOf } from "../../../support/problems.ts";

const counts = {
  passes: 1,
  failures: 0,
  inconclusive: 0,
  errors: 0,
  consecutiveErrors: 0,
  consecutiveSuccesses: 1,
  noDataSince: null,
  measuredAt: after(1),
};

test.for<{ what: string; parts: WorkloadParts }>([
  { what: "that is idle", parts: {} },
  { what: "with times", parts: { restartedAt: noon, updateRecord: { lastCheck: noon, lastUpdate: after(0.5) } } },
  {
    what: "with a history",
    parts: { updateRecord: { versionHistory: [{ version: "1", appliedAt: noon, status: "Healthy" }] } },
  },
  { what: "with a line break", parts: { problems: problemsOf('first\nsecond\u2028"third"') } },
  {
    what: "with an analysis",
    parts: { analysis: { startedAt: noon, pause: null, counts: new Map([["latency", counts]]), measurements: [] } },
  },
])("a workload $what is the same after its line was parsed", ({ parts }) => {
  for (const one of [workload(parts), updatingWorkload(parts)]) {
    const line = formatLine(one);
    expect(line).not.toContain("\n");
    expect(parseLine(line)).toStrictEqual(one);
  }
});
