import { describe, expect, test } from "vitest";
import type { Cause } from "../../../../functions/domain/health/cause.ts";
import { assessJobs } from "../../../../functions/domain/workload/cron-job/assess-jobs.ts";
import type { JobRun, JobSchedule } from "../../../../functions/domain/workload/cron-job/job-run.ts";
import { recordRollback } from "../../../../functions/domain/workload/rollback/rollback.ts";
import type { RolloutUpdate } from "../../../../functions/domain/workload/update/in-flight.ts";
import {
  after,
  completeRollout,
  image,
  inFlight,
  target,
  updatingWorkload,
  type WorkloadParts,
} from "../../../support/workloads.ts";
import { problemsOf } from "../../../support/problems.ts";

const schedule: JobSchedule = {
  isSuspended: false,
  isActive: false,
  lastScheduledAt: after(-60),
  lastSucceededAt: after(-59),
};
const observation = { kind: "waiting", reason: "not judged", since: after(1) } as const;
const update: RolloutUpdate = { ...inFlight, observation };

const succeeded: JobRun = {
  name: "report-1",
  createdAt: after(60),
  image: target,
  result: "succeeded",
  reason: "",
  isByItself: false,
  evidence: [],
};
const cause: Cause = {
  blames: "version",
  reason: "Exit",
  container: "app",
  exitCode: 1,
  message: "no DB",
  restarts: 0,
};
const failed: JobRun = {
  ...succeeded,
  result: "failed",
  reason: "BackoffLimitExceeded",
  isByItself: true,
  evidence: [{ pod: "report-1-x", cause }],
};
const running: JobRun = { ...succeeded, result: "running" };
const before = { ...failed, createdAt: after(-60), image };

interface Row {
  readonly when: string;
  readonly runs?: readonly JobRun[];
  readonly schedule?: Partial<JobSchedule>;
  readonly claim?: Partial<RolloutUpdate>;
  readonly parts?: WorkloadParts;
  readonly verdict: string;
}

function assess({ runs = [], claim = {}, parts = {}, ...row }: Omit<Row, "when" | "verdict">) {
  const jobs = { ...schedule, ...row.schedule };
  return assessJobs(updatingWorkload({ image: target, ...parts }), jobs, { ...update, ...claim }, runs);
}

const ended = { lastScheduledAt: after(60) };

describe("the next Job is the verdict", () => {
  test.for<Row>([
    { when: "none has run yet", verdict: "waiting" },
    { when: "it succeeded", runs: [succeeded], verdict: "ready" },
    { when: "it succeeded, and a setting is invalid", runs: [succeeded], parts: invalid(), verdict: "ready" },
    { when: "it failed", runs: [failed], verdict: "expired" },
    { when: "it failed, and a setting is invalid", runs: [failed], parts: invalid(), verdict: "waiting" },
    { when: "it runs", runs: [running], schedule: { ...ended, isActive: true }, verdict: "waiting" },
    { when: "it is suspended", schedule: { isSuspended: true }, verdict: "waiting" },
    { when: "the first failed, and the second succeeded", runs: [later(succeeded), failed], verdict: "expired" },
    { when: "the first succeeded, and the second failed", runs: [later(failed), succeeded], verdict: "ready" },
    { when: "the first runs, and the second succeeded", runs: [running, later(succeeded)], verdict: "ready" },
    { when: "one of the version before succeeded since", runs: [{ ...succeeded, image }], verdict: "waiting" },
    { when: "one that a person edited failed", runs: [{ ...failed, image: "debug:1" }], verdict: "waiting" },
    { when: "one without the container failed", runs: [{ ...failed, image: null }], verdict: "waiting" },
    { when: "one of an earlier attempt failed", runs: [{ ...failed, createdAt: after(-1) }], verdict: "waiting" },
    { when: "its image is not known", runs: [failed], parts: { image: null }, verdict: "waiting" },
    { when: "its owner opted out", runs: [succeeded], parts: { policy: { optIn: "no" } }, verdict: "expired" },
    { when: "its start is no time", runs: [failed], claim: { startedAt: "malformed" }, verdict: "waiting" },
  ])("$when: $verdict", ({ when: _when, verdict, ...row }) => {
    expect(assess(row).kind).toBe(verdict);
  });

  test("the failure names the Job, its pod and the exit code", () => {
    expect(assess({ runs: [failed] })).toEqual({
      kind: "expired",
      reason: "Job report-1 failed: BackoffLimitExceeded; 1 pod failing: report-1-x (app) exit 1 `no DB`",
    });
  });

  test.for([
    { schedule: {}, reason: "not judged until a Job has run 1.1.0" },
    { schedule: { isSuspended: true }, reason: "not judged while it is suspended" },
    { schedule: { isSuspended: true, isActive: true }, reason: "not judged until a Job has run 1.1.0" },
  ])("it says what it waits for: $reason", (row) => {
    expect(assess(row)).toEqual({ kind: "waiting", reason: row.reason });
  });
});

describe("the version is not blamed", () => {
  test.for<Row>([
    { when: "the last Job before failed", runs: [failed, before], verdict: "unproven" },
    { when: "the claim saw that it failed", runs: [failed], claim: { unavailableBefore: 1 }, verdict: "unproven" },
    { when: "its pods were evicted", runs: [{ ...failed, isByItself: false }], verdict: "withdraw" },
    {
      when: "its owner changed the template too",
      runs: [failed],
      parts: { rollout: { ...completeRollout, isTemplateEdited: true } },
      verdict: "withdraw",
    },
  ])("$when: $verdict", ({ when: _when, verdict, ...row }) => {
    expect(assess(row).kind).toBe(verdict);
  });

  test.for([
    { previousImage: image, text: "the last Job of 1.0.0 failed too" },
    { previousImage: null, text: "no previous image is known to compare it with" },
  ])("the reason says so: $text", ({ previousImage, text }) => {
    expect(assess({ runs: [failed], claim: { previousImage, unavailableBefore: 1 } })).toMatchObject({
      reason: expect.stringContaining(text),
    });
  });
});

describe("a Job that was deleted before it was read", () => {
  test.for<Row>([
    { when: "had succeeded", schedule: { ...ended, lastSucceededAt: after(61) }, verdict: "ready" },
    { when: "had not succeeded", schedule: { ...ended, lastSucceededAt: after(-59) }, verdict: "withdraw" },
    { when: "was the first", schedule: { ...ended, lastSucceededAt: null }, verdict: "withdraw" },
    { when: "ended before any check", claim: { observation: undefined as never }, schedule: ended, verdict: "waiting" },
    { when: "was never scheduled", schedule: { lastScheduledAt: null }, verdict: "waiting" },
    { when: "was not: it ran another image", runs: [{ ...succeeded, image }], schedule: ended, verdict: "withdraw" },
  ])("$when: $verdict", ({ when: _when, verdict, ...row }) => {
    expect(assess(row).kind).toBe(verdict);
  });

  test.for([
    { ran: image, reason: `Job report-1 ran ${image} instead` },
    { ran: null, reason: "Job report-1 ran no such container instead" },
  ])("$reason", ({ ran, reason }) => {
    expect(assess({ runs: [{ ...succeeded, image: ran }], schedule: ended })).toEqual({ kind: "withdraw", reason });
  });

  test("ended on an API server that does not say how", () => {
    const { lastSucceededAt: _, ...unknown } = { ...schedule, ...ended };
    expect(assessJobs(updatingWorkload({ image: target }), unknown, update, []).kind).toBe("withdraw");
  });
});

test("a failed Job is blamed at once: no pod of the version before could be its control", () => {
  const jobs = { ...completeRollout, desiredReplicas: 0, podsPer: "job" as const, jobs: schedule };
  const change = recordRollback(updatingWorkload({ image: target, rollout: jobs }), update, "failed", after(61));
  expect(change).toMatchObject({
    image,
    updateRecord: { rollbackCount: 1, failedVersions: ["1.1.0"] },
    inFlight: { phase: "rollback" },
  });
});

function invalid(): WorkloadParts {
  return { problems: problemsOf('pawl.dev/health-timeout "45 m": is not a duration') };
}

function later(run: JobRun): JobRun {
  return { ...run, name: "report-2", createdAt: after(120) };
}
