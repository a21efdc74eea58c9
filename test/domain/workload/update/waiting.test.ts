import { describe, expect, test } from "vitest";
import { assessReadiness, needsPods } from "../../../../functions/domain/workload/update/readiness.ts";
import { nextObservation, renewalChange } from "../../../../functions/domain/workload/policy/observation.ts";
import type { Observation } from "../../../../functions/domain/workload/policy/observation-kinds.ts";
import { type RolloutUpdate } from "../../../../functions/domain/workload/update/in-flight.ts";
import type { Rollout } from "../../../../functions/domain/workload/workload.ts";
import {
  after,
  claw,
  completeRollout,
  inFlight,
  noon,
  ownRecord,
  updatingWorkload,
  type WorkloadParts,
  workload,
} from "../../../support/workloads.ts";
import { problemsOf } from "../../../support/problems.ts";

const none = { ...completeRollout, desiredReplicas: 0, updatedReplicas: 0, readyReplicas: 0 };
const failing: Rollout = { ...completeRollout, readyReplicas: 2 };
const unobserved: Rollout = { ...failing, observedGeneration: 1 };
const problems = problemsOf('pawl.dev/health-timeout "45 m": is not a duration');
const paused = problemsOf("spec.paused: the Deployment is paused, so an update would not roll out; resume it");

interface Row {
  readonly when: string;
  readonly rollout: Rollout | null;
  readonly parts?: WorkloadParts;
  readonly claim?: Partial<RolloutUpdate>;
  readonly verdict: string;
}

describe("past the deadline", () => {
  test.for<Row>([
    { when: "a replica is not ready", rollout: failing, verdict: "expired" },
    { when: "the health timeout cannot be parsed", rollout: failing, parts: { problems }, verdict: "waiting" },
    { when: "its owner paused the Deployment", rollout: failing, parts: { problems: paused }, verdict: "waiting" },
    { when: "it is ready, and a setting is invalid", rollout: completeRollout, parts: { problems }, verdict: "ready" },
    {
      when: "a setting is invalid, and its owner opted out",
      rollout: failing,
      parts: { problems, policy: { optIn: "no" } },
      verdict: "expired",
    },
    {
      when: "a setting is invalid, and the start is no time",
      rollout: failing,
      parts: { problems },
      claim: { startedAt: "malformed" },
      verdict: "expired",
    },
    { when: "a failing update was scaled to 0", rollout: none, verdict: "waiting" },
    { when: "no node is selected by a DaemonSet", rollout: { ...none, podsPer: "node" }, verdict: "waiting" },
    { when: "the next Job of a CronJob will run it", rollout: { ...none, podsPer: "job" }, verdict: "ready" },
    { when: "its controller has not observed the change", rollout: unobserved, verdict: "waiting" },
  ])("$when: $verdict", ({ rollout, parts = {}, claim = {}, verdict }) => {
    expect(assessReadiness(rollout, workload(parts), { ...inFlight, ...claim }, after(11)).kind).toBe(verdict);
  });

  test.for<Row>([
    { when: "it is scaled to 0", rollout: none, verdict: "expired" },
    { when: "its StatefulSet is missing", rollout: null, verdict: "expired" },
    { when: "no pod was created", rollout: { ...failing, updatedReplicas: 0 }, verdict: "expired" },
    { when: "the StatefulSet is not observed", rollout: unobserved, verdict: "waiting" },
  ])("a Claw keeps the rules of k8s4claw: $when: $verdict", ({ rollout, verdict }) => {
    expect(assessReadiness(rollout, claw(), inFlight, after(11)).kind).toBe(verdict);
  });
});

test("a Claw that is scaled to 0 is progressing before the deadline", () => {
  expect(assessReadiness(none, claw(), inFlight, after(1))).toMatchObject({
    kind: "progressing",
    reason: "it has no replicas",
  });
});

test.for([
  [0, 15],
  [2, 15],
  [4, 75],
  [11, 285],
  [60, 300],
] as const)("%i minutes after the start, what waits is checked again in %i s", ([minutes, waitSeconds]) => {
  expect(assessReadiness(none, workload(), inFlight, after(minutes))).toEqual({
    kind: "waiting",
    waitSeconds,
    reason: "not judged while it is scaled to 0",
  });
});

const template = "t-1";
const current: Rollout = { ...failing, template };
const counted = { remaining: 1, desired: 3 };
const observed: Observation = { kind: "observed", at: after(30), template, ...counted };
const waiting = { kind: "waiting", reason: "not judged while it is scaled to 0", since: after(20) } as const;
const { since: _since, ...withoutSince } = waiting;

describe("the deadline counts", () => {
  test.for([
    { from: "now, if no check has seen it", observation: undefined, minutes: 90, verdict: "progressing" },
    { from: "when its controller had observed it", observation: observed, minutes: 39, verdict: "progressing" },
    { from: "when its controller had observed it", observation: observed, minutes: 41, verdict: "expired" },
    { from: "now, if it waited until now", observation: waiting, minutes: 90, verdict: "progressing" },
  ])("from $from: after $minutes minutes $verdict", ({ observation, minutes, verdict }) => {
    const claim = { ...inFlight, ...(observation === undefined ? {} : { observation }) };
    expect(assessReadiness(current, workload(), claim, after(minutes)).kind).toBe(verdict);
  });
});

test.for([
  {
    when: "its owner changed the pod template too",
    rollout: { ...current, isTemplateEdited: true },
    verdict: "withdraw",
  },
  { when: "the pod template is as Pawl left it", rollout: current, verdict: "expired" },
] as const)("past the deadline, $when: $verdict", ({ rollout, verdict }) => {
  expect(assessReadiness(rollout, workload(), { ...inFlight, observation: observed }, after(41)).kind).toBe(verdict);
});

describe("nextObservation", () => {
  const progressing = { kind: "progressing", waitSeconds: 15, reason: "" } as const;
  const scaledDown = { kind: "waiting", waitSeconds: 15, reason: waiting.reason } as const;
  test.for([
    { when: "nothing was noted yet", readiness: progressing, noted: { ...observed, at: after(40) } },
    { when: "it was noted", observation: observed, readiness: progressing, noted: null },
    { when: "it was waiting", observation: waiting, readiness: progressing, noted: { ...observed, at: after(40) } },
    {
      when: "it is still scaled to 0, and it is not known since when",
      observation: withoutSince,
      readiness: scaledDown,
      noted: { ...waiting, since: after(40) },
    },
    { when: "it is still scaled to 0", observation: waiting, readiness: scaledDown, noted: null },
    {
      when: "it waits for something else",
      observation: { ...waiting, reason: "paused" },
      readiness: scaledDown,
      noted: waiting,
    },
    { when: "it is ready", readiness: { kind: "ready" } as const, noted: null },
    { when: "the kind has no place for it", readiness: progressing, rollout: failing, noted: null },
    { when: "its pods are not managed", readiness: progressing, rollout: null, noted: null },
  ])("if $when", ({ observation, readiness, rollout = current, noted }) => {
    const claim = { ...inFlight, ...(observation === undefined ? {} : { observation }) };
    expect(nextObservation({ rollout, inFlight: claim }, readiness, after(40))).toEqual(noted);
  });
});

test.for([
  { when: "it lasts until the next check but one", expires: after(11), renewed: null },
  { when: "it lasts for hours", expires: after(180), renewed: null },
  { when: "it would expire soon after the next check", expires: after(10.9), renewed: { nextStepSeconds: 60 } },
  { when: "it has expired", expires: noon, renewed: { nextStepSeconds: 60 } },
  { when: "it never expires", expires: undefined, renewed: null },
])("renewalChange of a claim if $when", ({ expires, renewed }) => {
  const record = { ...ownRecord, ...(expires === undefined ? {} : { claimExpiresAt: expires }) };
  expect(renewalChange({ record }, 60, noon)).toEqual(renewed);
});

test.for([
  { when: "it would be blamed", readiness: "expired", parts: {}, needed: true },
  { when: "it is progressing", readiness: "progressing", parts: {}, needed: false },
  { when: "no pod failed", readiness: "not-started", parts: {}, needed: false },
  { when: "it is a Claw", readiness: "expired", parts: { failsWithoutPods: true }, needed: false },
  { when: "its owner disabled it", readiness: "expired", parts: { policy: { optIn: "no" } }, needed: false },
  { when: "its pods are not managed", readiness: "expired", parts: { rollout: null }, needed: false },
  { when: "a DaemonSet is progressing", readiness: "progressing", parts: { rollout: perNode(failing) }, needed: true },
  { when: "no pod of a DaemonSet failed", readiness: "not-started", parts: { rollout: perNode(none) }, needed: true },
  { when: "a DaemonSet is ready", readiness: "ready", parts: { rollout: perNode(completeRollout) }, needed: false },
] as const)("needsPods if $when: $needed", ({ readiness, parts, needed }) => {
  const verdict = { kind: readiness, waitSeconds: 15, reason: "" };
  expect(needsPods(verdict, updatingWorkload(parts))).toBe(needed);
});

function perNode(rollout: Rollout): Rollout {
  return { ...rollout, podsPer: "node" };
}
