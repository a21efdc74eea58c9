import { describe, expect, test } from "vitest";
import type { JobSchedule } from "../../../../functions/domain/workload/cron-job/job-run.ts";
import { supersededUpdate, supersedingChange } from "../../../../functions/domain/workload/request/superseding-push.ts";
import { supersedesParked } from "../../../../functions/domain/workload/update/supersede-parked.ts";
import type { RolloutUpdate } from "../../../../functions/domain/workload/update/in-flight.ts";
import type { Rollout, Workload } from "../../../../functions/domain/workload/workload.ts";
import { digestWorkload } from "../../../support/digest-workloads.ts";
import {
  after,
  canaryInFlight,
  completeRollout,
  image,
  imageTarget,
  inFlight,
  noon,
  target,
  updatingWorkload,
  type WorkloadParts,
  workload,
} from "../../../support/workloads.ts";

const none: Rollout = { ...completeRollout, desiredReplicas: 0, updatedReplicas: 0, readyReplicas: 0 };
const parked: RolloutUpdate = { ...inFlight, parked: { reason: "NoReplicas", since: noon } };
const newer = imageTarget("registry.example/shop/app:1.2.0");

function sleeping(parts: WorkloadParts = {}): Workload {
  return updatingWorkload({ image: target, rollout: none, inFlight: parked, ...parts });
}

function cronJob(jobs: Partial<JobSchedule>): WorkloadParts {
  const schedule = { isSuspended: false, isActive: false, lastScheduledAt: noon, ...jobs };
  const since = { reason: "NextJob", since: noon, jobs: "2026-11-20T12:00:00Z" } as const;
  return { rollout: { ...none, podsPer: "job", jobs: schedule }, inFlight: { ...inFlight, parked: since } };
}

const elsewhere = { ...workload().record, claimedElsewhereUntil: after(5) };
const isPaused = { isPaused: true } as const;
const proposed: RolloutUpdate = {
  ...inFlight,
  isApplied: false,
  git: { repository: "config", since: noon, url: "https://git.test/pull/7" },
};

describe("a newer version takes the place of a parked update", () => {
  test.for<{ when: string; parts: WorkloadParts; is: boolean }>([
    { when: "it is scaled to 0", parts: {}, is: true },
    { when: "its pods of the target still end", parts: { rollout: { ...none, updatedReplicas: 1 } }, is: false },
    { when: "it is scaled up", parts: { rollout: completeRollout }, is: false },
    {
      when: "it is paused before a pod was created",
      parts: { rollout: { ...none, desiredReplicas: 3, ...isPaused } },
      is: true,
    },
    { when: "it is paused, and pods run", parts: { rollout: { ...completeRollout, ...isPaused } }, is: false },
    { when: "it waits with pods", parts: { rollout: { ...none, desiredReplicas: 3 } }, is: false },
    { when: "it has no pods of its own", parts: { rollout: null }, is: false },
    { when: "no Job has run it", parts: cronJob({}), is: true },
    { when: "its Job runs", parts: cronJob({ isActive: true }), is: false },
    { when: "its Job has ended", parts: cronJob({ lastScheduledAt: after(9) }), is: false },
    { when: "it is not parked", parts: { inFlight }, is: false },
    { when: "it is a canary", parts: { inFlight: { ...canaryInFlight, parked: parked.parked as never } }, is: false },
    { when: "it is not applied", parts: { inFlight: { ...parked, isApplied: false } }, is: false },
    { when: "a person set another image", parts: { image }, is: false },
    { when: "another installation holds the claim", parts: { record: elsewhere }, is: false },
    { when: "digests are tracked too", parts: { digests: digestWorkload().digests }, is: false },
  ])("if $when: $is", ({ parts, is }) => {
    const found = sleeping(parts);
    expect(supersedesParked(found, found.inFlight ?? inFlight, newer)).toBe(is);
    expect(supersededUpdate(found, newer, "e-2")).toEqual(is ? found.inFlight : null);
  });

  test.for<{ when: string; parts: WorkloadParts; is: boolean }>([
    { when: "it waits for a merge", parts: { image }, is: true },
    { when: "it has the image", parts: {}, is: false },
    { when: "another installation holds the claim", parts: { image, record: elsewhere }, is: false },
  ])("of which only its own execution knows whether its pull request is merged, if $when: $is", ({ parts, is }) => {
    const found = sleeping({ inFlight: proposed, ...parts });
    expect(supersedesParked(found, proposed, newer)).toBe(is);
    expect(supersededUpdate(found, newer, "e-2")).toBeNull();
  });

  test.for([
    { of: "the same version", other: inFlight.target },
    { of: "an older version", other: imageTarget("registry.example/shop/app:1.0.5") },
    { of: "a restart", other: { kind: "restart", image: newer.image, requestedAt: noon } as never },
  ])("not $of", ({ other }) => {
    expect(supersedesParked(sleeping(), parked, other)).toBe(false);
  });

  test("and leaves no trace of it: no blame, no count, no history, no version that is held", () => {
    expect(supersedingChange(sleeping(), parked)).toEqual({
      inFlight: null,
      image,
      canary: null,
      verdict: null,
      analysis: null,
    });
  });

  test("a person's push of a lower one holds its version", () => {
    const request = { verb: "push", argument: "1.0.5", token: "t-1" };
    expect(supersedingChange(sleeping({ request }), parked)).toMatchObject({
      updateRecord: { minimumVersion: "1.1.0" },
    });
  });
});
