import { describe, expect, test } from "vitest";
import { fakePorts } from "../../support/fake-ports.ts";
import type { JobRun, JobSchedule } from "../../../functions/domain/workload/cron-job/job-run.ts";
import type { Rollout } from "../../../functions/domain/workload/workload.ts";
import { adoptUpdate } from "../../../functions/handlers/adopt-update.ts";
import { applyUpdate } from "../../../functions/handlers/apply-update.ts";
import { checkReadiness } from "../../../functions/handlers/check-readiness.ts";
import { checkRollback } from "../../../functions/handlers/check-rollback.ts";
import { recordSuccess } from "../../../functions/handlers/record-success.ts";
import { rollBack } from "../../../functions/handlers/roll-back.ts";
import { pollCluster } from "../../../functions/workflows/poll/poll-cluster.ts";
import { after, completeRollout, image, noon, target, workload } from "../../support/workloads.ts";
import { expectSelectable, step } from "../steps.ts";

const idle: JobSchedule = {
  isSuspended: false,
  isActive: false,
  lastScheduledAt: after(-60),
  lastSucceededAt: after(-59),
};

function rolloutWith(jobs: Partial<JobSchedule>, ran: string): Rollout {
  const none = { ...completeRollout, desiredReplicas: 0, updatedReplicas: 0, readyReplicas: 0 };
  return { ...none, image: ran, template: ran, podsPer: "job", jobs: { ...idle, ...jobs } };
}

const run: JobRun = {
  name: "report-29",
  createdAt: after(30),
  image: target,
  result: "succeeded",
  reason: "",
  isByItself: false,
  evidence: [],
};
const cause = { blames: "version", reason: "Exit", container: "app", exitCode: 3, message: "", restarts: 0 } as const;
const failure: JobRun = {
  ...run,
  result: "failed",
  reason: "BackoffLimitExceeded",
  isByItself: true,
  evidence: [{ pod: "report-29-x", cause }],
};

/** Updates a CronJob whose next Job ends like this half an hour later. */
async function update(job: JobRun, before: Partial<JobSchedule> = {}) {
  const jobs: JobRun[] = [];
  const tags = { "shop/app": ["1.0.0", "1.1.0"] };
  const initial = workload({ rollout: rolloutWith(before, image) });
  const ports = fakePorts({ workloads: [initial], tags, now: noon, jobs: () => jobs });
  const put = (schedule: Partial<JobSchedule>) => {
    const found = ports.cluster.get();
    ports.cluster.put({ ...found, rollout: rolloutWith({ ...before, ...schedule }, found.image ?? "") });
  };
  await pollCluster(ports);
  const started = ports.executions.started[0];
  const own = { ...step, execution: started?.name ?? "", executionStartedAt: noon.toISOString() };
  await applyUpdate(ports, own);
  put({});
  const parked = await checkReadiness(ports, own);
  ports.pass(20 * 60);
  const waiting = await pollCluster(ports);
  put({ isActive: true, lastScheduledAt: after(30) });
  ports.pass(10 * 60);
  const running = await pollCluster(ports);
  jobs.push(job);
  put({ lastScheduledAt: after(30), ...(job.result === "succeeded" ? { lastSucceededAt: after(31) } : {}) });
  const ended = await pollCluster(ports);
  const adopting = ports.executions.started.at(-1)?.name ?? "";
  const next = { ...own, execution: adopting, adopting: true, executionStartedAt: ports.now().toISOString() };
  await adoptUpdate(ports, next);
  const verdict = await checkReadiness(ports, next);
  return { ports, own, next, parked, polls: [waiting, running, ended], verdict };
}

test("its update is parked until its next Job has ended, and recorded once that succeeded", async () => {
  const { ports, own, next, parked, polls, verdict } = await update(run);
  expect(parked).toEqual({ kind: "parked", waitSeconds: 3600, reason: "not judged until a Job has run 1.1.0" });
  expect(polls).toMatchObject([{ inFlight: 1 }, { inFlight: 1 }, { adopted: 1 }]);
  expect(verdict).toMatchObject({ kind: "ready" });
  expect(await checkReadiness(ports, own)).toMatchObject({ kind: "superseded" });
  await recordSuccess(ports, { ...next, verdict: "ready", reason: "" });
  expect(ports.cluster.get()).toMatchObject({
    image: target,
    inFlight: null,
    updateRecord: { currentVersion: "1.1.0", versionHistory: [{ version: "1.1.0", status: "Healthy" }] },
  });
});

async function revert({ ports, next, verdict }: Awaited<ReturnType<typeof update>>) {
  expectSelectable("CheckReadiness", verdict);
  await rollBack(ports, { ...next, verdict: verdict.kind, reason: verdict.reason });
  return checkRollback(ports, { ...next, reason: verdict.reason });
}

const why = "Job report-29 failed: BackoffLimitExceeded; 1 pod failing: report-29-x (app) exit 3";

describe("if its next Job failed", () => {
  test("the previous image is restored, and the version blamed with what its pod said", async () => {
    const updated = await update(failure);
    expect(await revert(updated)).toMatchObject({ kind: "rolled-back" });
    expect(updated.ports.cluster.get()).toMatchObject({
      image,
      inFlight: null,
      updateRecord: {
        rollbackCount: 1,
        failedVersions: ["1.1.0"],
        versionHistory: [{ version: "1.1.0", status: "RolledBack", reason: why }],
      },
    });
  });

  test("and the Job before the update had failed too, the attempt counts, and nothing is blamed", async () => {
    const updated = await update(failure, { lastSucceededAt: after(-90) });
    expect(await revert(updated)).toMatchObject({ kind: "withdrawn" });
    const reason = `${why}; the last Job of 1.0.0 failed too`;
    expect(updated.ports.cluster.get()).toMatchObject({
      image,
      inFlight: null,
      updateRecord: {
        rollbackCount: 1,
        failedVersions: [],
        versionHistory: [{ version: "1.1.0", status: "Withdrawn", reason }],
      },
      backOff: { reason: "Withdrawn" },
    });
  });

  test("because its pods were evicted, nothing counts", async () => {
    const updated = await update({ ...failure, isByItself: false });
    expect(await revert(updated)).toMatchObject({ kind: "withdrawn" });
    expect(updated.ports.cluster.get().updateRecord).toMatchObject({ rollbackCount: 0, failedVersions: [] });
  });
});
