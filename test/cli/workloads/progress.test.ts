import { describe, expect, test } from "vitest";
import { restartInFlight } from "../../support/digest-workloads.ts";
import { rollbackOf } from "../../support/rollback.ts";
import { measurementsOf, progressOf, readAnalysisDeadline } from "../../../cli/workloads/progress.ts";
import { measure, startAnalysis } from "../../../functions/domain/analysis/measure.ts";
import { pauseAnalysis } from "../../../functions/domain/analysis/pause.ts";
import type { CanaryProgress } from "../../../functions/domain/workload/canary/canary-step.ts";
import { type InFlight, type RolloutUpdate, toRollback } from "../../../functions/domain/workload/update/in-flight.ts";
import type { Workload } from "../../../functions/domain/workload/workload.ts";
import { Forbidden, Unreachable } from "../../../functions/ports/errors.ts";
import {
  after,
  canaryPods,
  canaryWorkload,
  completeRollout,
  image,
  inFlight,
  noon,
  updatingWorkload,
  workload,
} from "../../support/workloads.ts";

const unready = { ...completeRollout, readyReplicas: 2 };
const pods = "2 of 3 replicas ready";
const analysis = startAnalysis(noon);

const secondStep: CanaryProgress = {
  step: 2,
  steps: 5,
  plan: "5%, 25%, pause, 50%, pause",
  size: "25%",
  waitsFor: "Replicas",
  since: noon,
  until: null,
};

function claimed(parts: Partial<RolloutUpdate>): { inFlight: InFlight } {
  return { inFlight: { ...inFlight, ...parts } };
}

const baking = claimed({ startedAt: after(-60), observation: { kind: "baking", since: noon } });

describe("10 minutes after it began, the update", () => {
  test.for<{ when: string; of: Workload; deadlineSeconds?: number; progress: object | null }>([
    { when: "is over", of: workload(), progress: null },
    {
      when: "is rolled out",
      of: updatingWorkload({ rollout: unready, policy: { healthTimeoutSeconds: 900 } }),
      progress: { step: "rollout", left: { seconds: 300, until: "health timeout" }, waitsFor: pods },
    },
    {
      when: "is late",
      of: updatingWorkload({ rollout: unready, policy: { healthTimeoutSeconds: 60 } }),
      progress: { step: "rollout", left: { seconds: 0, until: "health timeout" }, waitsFor: pods },
    },
    {
      when: "was observed later",
      of: updatingWorkload(claimed({ observation: { kind: "observed", at: after(5), template: "t" } })),
      progress: { step: "rollout", left: { seconds: 300, until: "health timeout" }, waitsFor: null },
    },
    {
      when: "was observed by a clock that is ahead",
      of: updatingWorkload(claimed({ observation: { kind: "observed", at: after(33), template: "t" } })),
      progress: { step: "rollout", left: { seconds: 600, until: "health timeout" }, waitsFor: null },
    },
    {
      when: "is not judged",
      of: updatingWorkload(claimed({ observation: { kind: "waiting", reason: "not judged while it is scaled to 0" } })),
      progress: { step: "rollout", left: null, waitsFor: "not judged while it is scaled to 0" },
    },
    {
      when: "restarts the pods of another image",
      of: updatingWorkload({ inFlight: restartInFlight, rollout: { ...unready, image } }),
      progress: { step: "restart", left: { seconds: 0, until: "health timeout" }, waitsFor: pods },
    },
    {
      when: "has an invalid start time",
      of: updatingWorkload(claimed({ startedAt: "malformed" })),
      progress: { step: "rollout", left: null, waitsFor: null },
    },
    {
      when: "has a canary that is not ready",
      of: canaryWorkload({ canary: { ...canaryPods, readyReplicas: 0 }, policy: { healthTimeoutSeconds: 900 } }),
      progress: { step: "canary", left: { seconds: 300, until: "health timeout" }, waitsFor: "0 of 1 replicas ready" },
    },
    {
      when: "has a canary in a step that is not ready",
      of: canaryWorkload({
        canary: { ...canaryPods, readyReplicas: 0 },
        canaryProgress: { ...secondStep, since: after(5) },
      }),
      progress: {
        step: "canary 2/5 (25%)",
        left: { seconds: 300, until: "health timeout" },
        waitsFor: "0 of 1 replicas ready",
      },
    },
    {
      when: "has a canary that waits for time",
      of: canaryWorkload({
        canaryProgress: { ...secondStep, waitsFor: "Time", since: after(5), until: after(65) },
        analysis,
      }),
      progress: { step: "canary 2/5 (25%)", left: { seconds: 3300, until: "end of the pause" }, waitsFor: null },
    },
    {
      when: "has a canary that waits for a person",
      of: canaryWorkload({ canaryProgress: { ...secondStep, waitsFor: "Promotion", until: after(60) } }),
      progress: {
        step: "canary 2/5 (25%)",
        left: { seconds: 3000, until: "withdrawal" },
        waitsFor: 'a person; run "pawl promote" or "pawl abort"',
      },
    },
    {
      when: "has a canary between two steps",
      of: canaryWorkload({ canaryProgress: { ...secondStep, waitsFor: "NextStep" }, analysis }),
      progress: { step: "canary 2/5 (25%)", left: null, waitsFor: "its next step" },
    },
    {
      when: "has a canary that is measured",
      of: canaryWorkload({ analysis }),
      deadlineSeconds: 1500,
      progress: { step: "canary", left: { seconds: 900, until: "deadline of the analysis" }, waitsFor: null },
    },
    {
      when: "has a canary whose analysis is invalid",
      of: canaryWorkload({ analysis: pauseAnalysis(analysis, "Invalid", "not found", noon) }),
      progress: { step: "canary", left: null, waitsFor: "not found" },
    },
    {
      when: "bakes",
      of: updatingWorkload({ ...baking, analysis, policy: { bake: { seconds: 3600 } } }),
      deadlineSeconds: 60,
      progress: { step: "bake time", left: { seconds: 3000, until: "end of the bake time" }, waitsFor: null },
    },
    {
      when: "bakes until its analysis has completed, with a pod that is not ready",
      of: updatingWorkload({
        ...baking,
        analysis: pauseAnalysis(analysis, "NotReady", pods, noon),
        policy: { bake: { seconds: null } },
      }),
      deadlineSeconds: 1500,
      progress: { step: "bake time", left: { seconds: 900, until: "deadline of the analysis" }, waitsFor: pods },
    },
    {
      when: "is rolled back",
      of: updatingWorkload({ inFlight: toRollback(inFlight, true, after(5)), rollout: { ...unready, image } }),
      progress: { step: "rollback", left: { seconds: 300, until: "health timeout" }, waitsFor: pods },
    },
    {
      when: "is rolled back at an unknown time",
      of: updatingWorkload({ inFlight: rollbackOf(inFlight) }),
      progress: { step: "rollback", left: null, waitsFor: null },
    },
  ])("$when: $progress", ({ of, deadlineSeconds = null, progress }) => {
    expect(progressOf(of, deadlineSeconds, after(10))).toEqual(progress);
  });
});

describe("the deadline of an analysis", () => {
  const text = JSON.stringify({ deadline: "20m", metrics: [{ name: "errors", query: "up", threshold: 1 }] });
  const read = (of: Workload, found: string | null | Error = text) =>
    readAnalysisDeadline(
      {
        async readAnalysis() {
          if (found instanceof Error) throw found;
          return found;
        },
      },
      of,
      after(10),
    );
  const measured = canaryWorkload({ analysis, policy: { analysis: "errors" } });

  const canarySteps = [
    { kind: "replicas", size: { unit: "percent", amount: 25 }, analysis: "errors", durationSeconds: 1800 },
    { kind: "pause", seconds: 60, end: "continue" },
  ] as const;
  const atStep = (step: number) =>
    canaryWorkload({
      analysis,
      policy: { canarySteps },
      canaryProgress: { ...secondStep, step, steps: 2, plan: "25%, pause" },
    });
  const [inStep, inPause] = [atStep(1), atStep(2)];

  test.for<{ when: string; of: Workload; found?: string | null | Error; seconds: number | null }>([
    { when: "is known", of: measured, seconds: 1200 },
    {
      when: "is known in the bake time",
      of: updatingWorkload({ ...baking, analysis, policy: { analysis: "errors" } }),
      seconds: 1200,
    },
    { when: "is that of a step", of: inStep, seconds: 60 * 60 + 900 },
    { when: "is not, in a pause", of: inPause, seconds: null },
    { when: "is not, without an update", of: workload({ analysis, policy: { analysis: "errors" } }), seconds: null },
    { when: "is not, before it begins", of: canaryWorkload({ policy: { analysis: "errors" } }), seconds: null },
    { when: "is not, after its removal", of: canaryWorkload({ analysis }), seconds: null },
    { when: "is not, if it is invalid", of: measured, found: "{}", seconds: null },
    { when: "is not, if it may not be read", of: measured, found: new Forbidden("no"), seconds: null },
  ])("$when: $seconds", async ({ of, found = text, seconds }) => {
    expect(await read(of, found)).toBe(seconds);
  });

  test("is an error of the cluster, if that does not answer", async () => {
    await expect(read(measured, new Unreachable("no answer"))).rejects.toThrow("no answer");
  });
});

test("measurements have a time as text", () => {
  const outcome = { verdict: "fail", value: 0.5, note: "0.5: result > 0.01" } as const;
  const measured = measure(analysis, "errors", outcome, after(1));
  expect(measurementsOf(workload({ analysis: measured }))).toEqual([
    { at: "2026-11-20T12:01:00Z", metric: "errors", ...outcome },
  ]);
  expect(measurementsOf(workload())).toEqual([]);
});
