import { describe, expect, test } from "vitest";
import type { Assessment } from "../../../../functions/domain/analysis/assess.ts";
import { awaitJob } from "../../../../functions/domain/analysis/measure.ts";
import { pauseAnalysis } from "../../../../functions/domain/analysis/pause.ts";
import {
  assessBake,
  type BakeObservation,
  bakingClaim,
  bakingSince,
  namesOfAllPods,
} from "../../../../functions/domain/workload/bake/assess-bake.ts";
import { assessReadiness } from "../../../../functions/domain/workload/update/readiness.ts";
import type { InFlight } from "../../../../functions/domain/workload/update/in-flight.ts";
import type { Rollout, Workload } from "../../../../functions/domain/workload/workload.ts";
import { after, completeRollout, inFlight, noon, updatingWorkload } from "../../../support/workloads.ts";
import { analysis, errorRate, measured } from "../../analysis/samples.ts";

const spec = analysis({});
const running: Assessment = { kind: "running", waitSeconds: 40, due: [] };

function seenMeasured(letters: string, assessment: Assessment = running): BakeObservation {
  return { kind: "measured", spec, state: measured(letters), assessment };
}

const unready: BakeObservation = { kind: "unready", waitSeconds: 15, reason: "2 of 3 replicas ready" };
const invalid = (minutes: number): BakeObservation => ({
  kind: "unjudged",
  since: after(-minutes),
  reason: "the analysis is invalid",
});

describe("an update that bakes for 10 minutes", () => {
  test.for<{ when: string; minutes: number; seen: BakeObservation; verdict: object }>([
    { when: "all is ready", minutes: 1, seen: { kind: "ready" }, verdict: { kind: "running", waitSeconds: 60 } },
    { when: "it is nearly over", minutes: 9.7, seen: { kind: "ready" }, verdict: { kind: "running", waitSeconds: 18 } },
    { when: "it is over", minutes: 10, seen: { kind: "ready" }, verdict: { kind: "pass" } },
    { when: "a pod is not ready", minutes: 1, seen: unready, verdict: { kind: "running", waitSeconds: 15 } },
    { when: "a pod is not ready at its end", minutes: 11, seen: unready, verdict: { kind: "running" } },
    { when: "it is invalid", minutes: 5, seen: invalid(16), verdict: { kind: "running", waitSeconds: 60 } },
    { when: "it is invalid at its end", minutes: 11, seen: invalid(14), verdict: { kind: "running" } },
    { when: "it is invalid for 15 minutes", minutes: 11, seen: invalid(15), verdict: { kind: "unknown" } },
    {
      when: "the next measurement is due first",
      minutes: 1,
      seen: seenMeasured("p"),
      verdict: { kind: "running", waitSeconds: 40, reason: "error-rate = 0.002: pass" },
    },
    {
      when: "nothing is measured yet",
      minutes: 1,
      seen: seenMeasured("", { ...running, waitSeconds: 3600 }),
      verdict: { kind: "running", waitSeconds: 60, reason: "no measurement yet" },
    },
    { when: "it has passed until its end", minutes: 10, seen: seenMeasured("p"), verdict: { kind: "pass" } },
    {
      when: "nothing was measured until its end",
      minutes: 10,
      seen: seenMeasured("ee"),
      verdict: { kind: "unknown", reason: "not measured within 10m0s: error-rate" },
    },
    { when: "a step is late", minutes: 9.999, seen: { kind: "ready" }, verdict: { kind: "running", waitSeconds: 1 } },
  ])("$when after $minutes minutes: $verdict", ({ minutes, seen, verdict }) => {
    expect(assessBake({ seconds: 600 }, minutes * 60, seen, noon)).toMatchObject(verdict);
  });
});

describe("an update whose bake time of 10 minutes is over while a Job runs", () => {
  const job = { name: "smoke", job: { name: "smoke-test", timeout: "5m" } };
  const decides = analysis({ metrics: [errorRate, job] });
  const dryRun = analysis({ metrics: [errorRate, { ...job, dryRun: true }] });
  const passing = measured("p");
  const waits = awaitJob(passing, "smoke", "u-1");
  test.for([
    { when: "it decides", seen: { spec: decides, state: waits }, minutes: 10, kind: "running" },
    { when: "it may end within its timeout", seen: { spec: decides, state: waits }, minutes: 18, kind: "running" },
    { when: "it is late", seen: { spec: decides, state: waits }, minutes: 18.1, kind: "unknown" },
    { when: "it is a dry run", seen: { spec: dryRun, state: waits }, minutes: 10, kind: "pass" },
    { when: "it never began", seen: { spec: decides, state: passing }, minutes: 10, kind: "unknown" },
  ])("$when after $minutes minutes: $kind", ({ seen, minutes, kind }) => {
    const observed = { kind: "measured", assessment: running, ...seen } as const;
    expect(assessBake({ seconds: 600 }, minutes * 60, observed, noon).kind).toBe(kind);
  });
});

describe("an update that bakes until its analysis has completed", () => {
  test.for<{ when: string; seen: BakeObservation; verdict: object }>([
    { when: "it runs", seen: seenMeasured("p"), verdict: { kind: "running", waitSeconds: 40 } },
    { when: "it fails", seen: seenMeasured("f", { kind: "fail", reason: "1" }), verdict: { kind: "fail" } },
    { when: "it has no data", seen: seenMeasured("e", { kind: "error", reason: "15m" }), verdict: { kind: "unknown" } },
    { when: "it was removed", seen: { kind: "ready" }, verdict: { kind: "pass" } },
    { when: "it is invalid", seen: invalid(14), verdict: { kind: "running" } },
    { when: "it is invalid for 15 minutes", seen: invalid(15), verdict: { kind: "unknown" } },
  ])("$when: $verdict", ({ seen, verdict }) => {
    expect(assessBake({ seconds: null }, 3600, seen, noon)).toMatchObject(verdict);
  });
});

describe("the pods of an update that bakes since noon", () => {
  const baking: InFlight = { ...inFlight, startedAt: after(-60), observation: { kind: "baking", since: noon } };
  const unreadyPods: Rollout = { ...completeRollout, readyReplicas: 2 };
  const templated: Rollout = { ...unreadyPods, template: "t-1" };
  const since = (minutes: number) => pauseAnalysis(null, "NotReady", "", after(minutes));

  function assessPods(parts: Partial<Workload>, minutes: number, own: InFlight = baking): string {
    const workload = { ...updatingWorkload({ inFlight: own }), ...parts };
    const claim = bakingClaim({ kind: "held", workload, inFlight: own }, after(minutes));
    return assessReadiness(claim.workload.rollout, claim.workload, claim.inFlight, after(minutes)).kind;
  }

  test.for<{ when: string; parts: Partial<Workload>; minutes: number; own?: InFlight; verdict: string }>([
    { when: "are ready", parts: {}, minutes: 30, verdict: "ready" },
    {
      when: "are ready, beside one that terminates",
      parts: { rollout: { ...completeRollout, terminatingReplicas: 1 } },
      minutes: 30,
      verdict: "ready",
    },
    { when: "are not ready now", parts: { rollout: unreadyPods }, minutes: 30, verdict: "progressing" },
    {
      when: "are not ready for longer, of a kind whose checks note its template",
      parts: { rollout: templated, analysis: since(19) },
      minutes: 30,
      verdict: "expired",
    },
    {
      when: "are not ready after a canary that was not ready",
      parts: { rollout: unreadyPods, analysis: since(-30) },
      minutes: 0,
      own: { ...baking, observation: { kind: "waiting", reason: "" } },
      verdict: "progressing",
    },
    {
      when: "are as unavailable as before the update",
      parts: { rollout: { ...unreadyPods, podsPer: "node" } },
      minutes: 30,
      own: { ...baking, unavailableBefore: 1 },
      verdict: "ready",
    },
    { when: "were removed", parts: { rollout: null }, minutes: 30, verdict: "progressing" },
  ])("$when: $verdict", ({ parts, minutes, own, verdict }) => {
    expect(assessPods(parts, minutes, own)).toBe(verdict);
  });

  test("are in the bake time only after it began", () => {
    expect(bakingSince(baking)).toEqual(noon);
    expect(bakingSince(inFlight)).toBeNull();
    expect(bakingSince({ ...inFlight, observation: { kind: "waiting", reason: "" } })).toBeNull();
  });
});

test("in queries, the pods of both sides are all pods", () => {
  expect(namesOfAllPods({ stable: "app", canary: "app-canary" })).toEqual({ stable: "app", canary: "app" });
  const names = { stable: "app", canary: "app-canary", stablePods: "^app-[0-9]+$", canaryPods: "^app-canary-[0-9]+$" };
  expect(namesOfAllPods(names)).toEqual({ ...names, canary: "app", canaryPods: "^app-[0-9]+$" });
});
