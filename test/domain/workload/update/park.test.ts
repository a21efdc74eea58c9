import { describe, expect, test } from "vitest";
import { beginStep } from "../../../../functions/domain/workload/canary/progress.ts";
import { parseCanarySteps } from "../../../../functions/domain/workload/canary/steps.ts";
import {
  parkReason,
  planParking,
  planUnverified,
  recordParked,
  sleepState,
} from "../../../../functions/domain/workload/update/park.ts";
import type { JobSchedule } from "../../../../functions/domain/workload/cron-job/job-run.ts";
import type { InFlight } from "../../../../functions/domain/workload/update/in-flight.ts";
import type { ParkReason } from "../../../../functions/domain/workload/update/parked-update.ts";
import type { Rollout, Workload } from "../../../../functions/domain/workload/workload.ts";
import {
  after,
  canaryInFlight,
  canaryPods,
  canaryWorkload,
  claw,
  completeRollout,
  inFlight,
  noon,
  policy,
  rollingBack,
  updatingWorkload,
  type WorkloadParts,
} from "../../../support/workloads.ts";
import { problemsOf } from "../../../support/problems.ts";

const none: Rollout = { ...completeRollout, desiredReplicas: 0, updatedReplicas: 0, readyReplicas: 0 };
const problems = problemsOf('pawl.dev/health-timeout "45 m": is not a duration');
const frozen: Rollout = { ...completeRollout, isPaused: true };

describe("what an update waits for", () => {
  test.for<{ when: string; parts: WorkloadParts; reason: ParkReason | null }>([
    { when: "it is scaled to 0", parts: { rollout: none }, reason: "NoReplicas" },
    { when: "it has replicas", parts: {}, reason: null },
    { when: "the next Job of a CronJob runs it", parts: { rollout: { ...none, podsPer: "job" } }, reason: null },
    { when: "no Job of a CronJob has run it", parts: withJobs({}), reason: "NextJob" },
    { when: "its CronJob is suspended", parts: withJobs({ isSuspended: true }), reason: "NextJob" },
    { when: "its CronJob has an invalid setting", parts: { ...withJobs({}), problems }, reason: "InvalidSetting" },
    { when: "no node is selected", parts: { rollout: { ...none, podsPer: "node" } }, reason: "NoReplicas" },
    { when: "it has no pods of its own", parts: { rollout: null }, reason: null },
    { when: "a setting is invalid", parts: { problems }, reason: "InvalidSetting" },
    { when: "a setting is invalid, without replicas", parts: { problems, rollout: none }, reason: "InvalidSetting" },
    { when: "it is paused", parts: { problems, rollout: frozen }, reason: "WorkloadPaused" },
    { when: "its owner opted out", parts: { rollout: none, policy: { optIn: "no" } }, reason: null },
    { when: "it is rolled back", parts: { rollout: none, inFlight: rollingBack }, reason: null },
    { when: "it fails without pods too", parts: { rollout: none, failsWithoutPods: true }, reason: null },
  ])("$when: $reason", ({ parts, reason }) => {
    expect(reasonOf(updatingWorkload(parts))).toBe(reason);
  });

  test("a kind with its claim in itself has no place to note it", () => {
    expect(parkReason(claw({ problems }), inFlight, noon)).toBeNull();
  });
});

const parsed = parseCanarySteps([{ size: 1 }, { pause: {} }, { size: 2 }]);
const timed = parseCanarySteps([{ size: 1 }, { pause: { duration: "1h" } }, { size: 2 }]);
if (parsed.kind === "invalid" || timed.kind === "invalid") throw new Error("invalid steps");
const one = { unit: "replicas", amount: 1 } as const;
const stepped = { ...policy, canary: one, canarySteps: parsed.value };
const continuing = { ...policy, canary: one, canarySteps: timed.value };
const waiting = canaryWorkload({ policy: stepped, canaryProgress: beginStep(stepped, 2, noon) });

describe("what a canary waits for", () => {
  test.for<{ when: string; parts: Partial<Workload>; minutes?: number; reason: ParkReason | null }>([
    { when: "a person continues it", parts: {}, reason: "CanaryPaused" },
    { when: "a person continues it, and a setting is invalid", parts: { problems }, reason: "CanaryPaused" },
    { when: "a person has continued it", parts: { verdict: "continue" }, reason: null },
    { when: "a person has promoted it", parts: { verdict: "promote" }, reason: null },
    { when: "a person has aborted it", parts: { verdict: "abort" }, reason: null },
    { when: "nobody has continued it within a day", parts: {}, minutes: 24 * 60 + 1, reason: null },
    {
      when: "a pod of it is not available any more",
      parts: { canary: { ...canaryPods, readyReplicas: 0 } },
      reason: null,
    },
    { when: "it has no pods any more", parts: { canary: null }, reason: null },
    {
      when: "its owner has changed the template",
      parts: { rollout: { ...completeRollout, isTemplateEdited: true } },
      reason: null,
    },
    { when: "its owner has paused the workload", parts: { problems, rollout: frozen }, reason: "WorkloadPaused" },
    {
      when: "its owner has paused the workload and scaled it to 0",
      parts: { rollout: { ...none, isPaused: true }, canary: { ...canaryPods, addedTo: 0 } },
      reason: null,
    },
    { when: "its owner gave the pause another end", parts: { policy: continuing }, reason: null },
    { when: "it becomes ready", parts: { canaryProgress: beginStep(stepped, 1, noon) }, reason: null },
    {
      when: "a setting is invalid before it is ready",
      parts: { problems, canaryProgress: beginStep(stepped, 1, noon) },
      reason: "InvalidSetting",
    },
    { when: "it is not recorded how far it is", parts: { canaryProgress: null, rollout: null }, reason: null },
  ])("$when: $reason", ({ parts, minutes = 90, reason }) => {
    expect(reasonOf({ ...waiting, ...parts }, minutes)).toBe(reason);
  });
});

/** A CronJob that the first check saw one minute after its update. */
function withJobs(jobs: Partial<JobSchedule>): WorkloadParts {
  const schedule = { isSuspended: false, isActive: false, lastScheduledAt: after(-9), lastSucceededAt: null, ...jobs };
  return {
    rollout: { ...none, podsPer: "job", jobs: schedule },
    inFlight: { ...inFlight, observation: { kind: "waiting", reason: "not judged", since: after(1) } },
  };
}

describe("what a canary waits for whose image is not verified any more", () => {
  const { inFlight: canary } = waiting;
  const unverified = { ...waiting, inFlight: { ...canary, parked: { reason: "Unverified", since: noon } } as InFlight };
  test.for<{ when: string; parts: Partial<Workload>; reason: ParkReason | null }>([
    { when: "nothing has changed", parts: {}, reason: "Unverified" },
    { when: "a setting is invalid", parts: { problems }, reason: "Unverified" },
    { when: "a person has continued it", parts: { verdict: "continue" }, reason: "Unverified" },
    {
      when: "a person has promoted it, and it is not available",
      parts: { verdict: "promote", canary: { ...canaryPods, readyReplicas: 0 } },
      reason: "Unverified",
    },
    { when: "a person has aborted it", parts: { verdict: "abort" }, reason: null },
    { when: "its owner opted out", parts: { policy: { ...stepped, optIn: "no" } }, reason: null },
    { when: "its owner has paused the workload", parts: { rollout: frozen }, reason: "WorkloadPaused" },
    {
      when: "a pod of it is not available any more",
      parts: { canary: { ...canaryPods, readyReplicas: 0 } },
      reason: null,
    },
    {
      when: "its owner has changed the template",
      parts: { rollout: { ...completeRollout, isTemplateEdited: true } },
      reason: null,
    },
  ])("$when: $reason", ({ parts, reason }) => {
    expect(reasonOf({ ...unverified, ...parts })).toBe(reason);
  });

  test("it sleeps for an hour at a time, since it slept first", () => {
    const parking = { parked: { reason: "Unverified", since: after(5) }, waitSeconds: 3600 };
    expect(planUnverified(waiting, canaryInFlight, after(5))).toEqual(parking);
    expect(planUnverified(waiting, unverified.inFlight, after(5))?.parked.since).toEqual(noon);
    const paused = { ...canaryInFlight, parked: { reason: "CanaryPaused", since: noon } } as const;
    expect(planUnverified(waiting, paused, after(5))).toEqual(parking);
    expect(planUnverified(claw(), canaryInFlight, noon)).toBeNull();
  });
});

function reasonOf(workload: Workload, minutes = 0): ParkReason | null {
  return parkReason(workload, workload.inFlight ?? inFlight, after(minutes));
}

describe("planParking", () => {
  test.for([
    { when: "it is scaled to 0", parts: { rollout: none }, minutes: 0, hours: 1 },
    { when: "it has been scaled to 0 for 3 hours", parts: { rollout: none }, minutes: 180, hours: 3 },
    { when: "it has been scaled to 0 for days", parts: { rollout: none }, minutes: 6000, hours: 6 },
    { when: "its next Job has not run", parts: withJobs({}), minutes: 0, hours: 1 },
    { when: "it has been paused for a while", parts: { problems, rollout: frozen }, minutes: 59, hours: null },
    { when: "it has been paused for an hour", parts: { problems, rollout: frozen }, minutes: 60, hours: 1 },
    { when: "nothing rolls out, and a setting is invalid", parts: { problems, rollout: null }, minutes: 60, hours: 1 },
    { when: "it can be judged", parts: {}, minutes: 600, hours: null },
  ])("$when: it sleeps for $hours h", ({ parts, minutes, hours }) => {
    const parking = planParking(updatingWorkload(parts), inFlight, noon, after(minutes));
    expect(parking && parking.waitSeconds / 3600).toBe(hours);
    expect(parking?.parked.since ?? noon).toEqual(noon);
  });

  test.for([
    { when: "has waited for a while", minutes: 59, seconds: null },
    { when: "has waited for three hours", minutes: 180, seconds: 3600 },
    { when: "is withdrawn soon", minutes: 24 * 60 - 1, seconds: 60 },
  ])("a canary that $when", ({ minutes, seconds }) => {
    expect(planParking(waiting, canaryInFlight, noon, after(minutes))?.waitSeconds ?? null).toBe(seconds);
  });

  test("a canary that has waited for longer than its pause, and is paused, sleeps for an hour", () => {
    const parking = planParking({ ...waiting, rollout: frozen }, canaryInFlight, noon, after(25 * 60));
    expect(parking).toEqual({ parked: { reason: "WorkloadPaused", since: noon }, waitSeconds: 3600 });
  });
});

const parked = { reason: "NoReplicas", since: noon } as const;
const asleep = { ...inFlight, parked };

test.for([
  { when: "it is not parked", claim: inFlight, rollout: none, expires: after(60), state: null },
  { when: "it is parked", claim: asleep, rollout: none, expires: after(60), state: "asleep" },
  { when: "its claim has expired", claim: asleep, rollout: none, expires: noon, state: null },
  { when: "its claim has no end", claim: asleep, rollout: none, expires: undefined, state: null },
  { when: "it was scaled up", claim: asleep, rollout: completeRollout, expires: after(60), state: "over" },
])("sleepState if $when: $state", ({ claim, rollout, expires, state }) => {
  const found = updatingWorkload({ rollout, inFlight: claim });
  const record = { ...found.record, ...(expires === undefined ? {} : { claimExpiresAt: expires }) };
  expect(sleepState({ ...found, record }, claim, after(5))).toBe(state);
});

test.for<{ when: string; parked?: Partial<JobSchedule>; now: Partial<JobSchedule>; state: string }>([
  { when: "no Job was created", now: {}, state: "asleep" },
  { when: "its Job runs", now: { isActive: true, lastScheduledAt: after(9) }, state: "asleep" },
  { when: "its Job has ended", now: { lastScheduledAt: after(9) }, state: "over" },
  { when: "one that it missed was created and has ended", now: { lastScheduledAt: after(-1) }, state: "over" },
  { when: "the Job that ran has ended", parked: { isActive: true }, now: {}, state: "over" },
  { when: "the Job that ran still runs", parked: { isActive: true }, now: { isActive: true }, state: "asleep" },
  { when: "none was ever created", parked: { lastScheduledAt: null }, now: { lastScheduledAt: null }, state: "asleep" },
])("sleepState of a CronJob if $when: $state", ({ parked: before = {}, now, state }) => {
  const atPark = updatingWorkload(withJobs(before));
  const parking = planParking(atPark, inFlight, noon, after(1));
  const claim = { ...inFlight, ...(parking === null ? {} : { parked: parking.parked }) };
  const found = updatingWorkload({ ...withJobs(now), inFlight: claim });
  const record = { ...found.record, claimExpiresAt: after(60) };
  expect(sleepState({ ...found, record }, claim, after(10))).toBe(state);
});

test.for([
  { when: "it is parked now", claim: inFlight, now: parked, change: { parked } },
  { when: "it still is", claim: asleep, now: { ...parked, since: after(5) }, change: {} },
  { when: "another Job of it has ended", claim: asleep, now: { ...parked, jobs: "none" }, change: true },
  { when: "it waits for something else", claim: asleep, now: { ...parked, reason: "InvalidSetting" }, change: true },
  { when: "it is judged again", claim: asleep, now: null, change: { parked: null } },
  { when: "it never was", claim: inFlight, now: null, change: {} },
  { when: "nothing is in flight", claim: null, now: null, change: {} },
] as const)("recordParked if $when", ({ claim, now, change }) => {
  expect(recordParked(claim, now)).toEqual(change === true ? { parked: now } : change);
});
