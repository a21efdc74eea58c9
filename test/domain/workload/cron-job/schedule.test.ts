import { expect, test } from "vitest";
import { hasLastJobFailed } from "../../../../functions/domain/workload/cron-job/schedule.ts";
import type { JobSchedule } from "../../../../functions/domain/workload/cron-job/job-run.ts";
import { unavailablePods } from "../../../../functions/domain/workload/record/update-record.ts";
import { after, completeRollout, noon, workload } from "../../../support/workloads.ts";

const idle = { isSuspended: false, isActive: false };

test.for<{ when: string; jobs: JobSchedule; hasFailed: boolean }>([
  { when: "it succeeded", jobs: { ...idle, lastScheduledAt: noon, lastSucceededAt: after(1) }, hasFailed: false },
  { when: "it did not succeed", jobs: { ...idle, lastScheduledAt: noon, lastSucceededAt: after(-9) }, hasFailed: true },
  { when: "none ever succeeded", jobs: { ...idle, lastScheduledAt: noon, lastSucceededAt: null }, hasFailed: true },
  { when: "none has run", jobs: { ...idle, lastScheduledAt: null, lastSucceededAt: null }, hasFailed: false },
  { when: "the API server does not say", jobs: { ...idle, lastScheduledAt: noon }, hasFailed: false },
  {
    when: "it runs",
    jobs: { ...idle, isActive: true, lastScheduledAt: noon, lastSucceededAt: after(-9) },
    hasFailed: false,
  },
])("the claim notes whether the last Job failed: $when: $hasFailed", ({ jobs, hasFailed }) => {
  expect(hasLastJobFailed(jobs)).toBe(hasFailed);
  const rollout = { ...completeRollout, podsPer: "job" as const, jobs };
  expect(unavailablePods(workload({ rollout }))).toEqual(hasFailed ? { unavailableBefore: 1 } : {});
});
