import { expect, test } from "vitest";
import { pauseAnalysis } from "../../../functions/domain/analysis/pause.ts";
import { analyzeCanary } from "../../../functions/handlers/analyze-canary.ts";
import { checkCanary } from "../../../functions/handlers/check-canary.ts";
import { after, canaryPods, canaryWorkload, noon } from "../../support/workloads.ts";
import { canaryStep, checkStep } from "./canary-steps.ts";
import { around, expectSelectable, revert } from "../steps.ts";

const unready = { ...canaryPods, readyReplicas: 0 };
const paused = pauseAnalysis(null, "NotReady", "0 of 1 replicas ready", noon);
const late = { now: after(11) };

test.for([
  { when: "no node takes its pod", counts: { excused: 1 }, kind: "not-started", blamed: [] },
  { when: "its pod fails", counts: {}, kind: "expired", blamed: ["1.1.0"] },
  {
    when: "its pod fails on a node that answers, another's does not",
    counts: { excused: 1 },
    pods: 2,
    kind: "expired",
    blamed: ["1.1.0"],
  },
])("a canary that never was ready, if $when: $kind", async ({ counts, pods = 1, kind, blamed }) => {
  const canary = { ...unready, desiredReplicas: pods, updatedReplicas: pods };
  const ports = around(canaryWorkload({ canary }), { ...late, ...counts });
  const verdict = await checkCanary(ports, checkStep);
  expect(verdict.kind).toBe(kind);
  expectSelectable("CheckCanary", verdict);
  await revert(ports, { ...canaryStep, verdict: verdict.kind, reason: verdict.reason });
  const { failedVersions, rollbackCount } = ports.cluster.get().updateRecord;
  expect({ failedVersions, rollbackCount }).toEqual({ failedVersions: blamed, rollbackCount: blamed.length });
});

test("an aborted canary is not asked for its pods", async () => {
  const ports = around(canaryWorkload({ canary: unready, verdict: "abort" }), {
    ...late,
    excused: 1,
    atMoment: (moment: string) => {
      if (moment.includes("countUnavailablePods")) throw new Error("pods were counted");
    },
  });
  expect(await checkCanary(ports, checkStep)).toMatchObject({ kind: "expired", reason: "aborted manually" });
});

test.for([
  { when: "no node takes its pod any more", counts: { excused: 1 }, kind: "withdraw" },
  { when: "its pod fails", counts: {}, kind: "fail" },
])("a canary that was ready before, if $when: $kind", async ({ counts, kind }) => {
  const initial = canaryWorkload({ canary: unready, analysis: paused, policy: { analysis: "error-rate" } });
  const verdict = await analyzeCanary(around(initial, { ...late, ...counts }), checkStep);
  expect(verdict.kind).toBe(kind);
  expectSelectable("AnalyzeCanary", verdict);
});
