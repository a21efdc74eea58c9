import { expect, test } from "vitest";
import { pauseAnalysis } from "../../../functions/domain/analysis/pause.ts";
import { beginStep } from "../../../functions/domain/workload/canary/progress.ts";
import { parseCanarySteps } from "../../../functions/domain/workload/canary/steps.ts";
import { analyzeCanary } from "../../../functions/handlers/analyze-canary.ts";
import { checkCanary } from "../../../functions/handlers/check-canary.ts";
import { after, canaryPods, canaryWorkload, completeRollout, image, noon, policy } from "../../support/workloads.ts";
import { problemsOf } from "../../support/problems.ts";
import { around, expectSelectable } from "../steps.ts";
import { checkStep } from "./canary-steps.ts";

const parsed = parseCanarySteps([{ size: 1 }, { pause: {} }, { size: 2 }]);
if (parsed.kind === "invalid") throw new Error("invalid steps");
const stepped = { ...policy, canary: { unit: "replicas", amount: 1 } as const, canarySteps: parsed.value };
const paused = canaryWorkload({ policy: stepped, canaryProgress: beginStep(stepped, 2, noon) });
const frozen = { ...completeRollout, image, isPaused: true } as const;

test("a canary that waits for a person is checked each minute, then each hour, without writes, until it is withdrawn", async () => {
  const ports = around(paused, { now: after(59) });
  expect(await analyzeCanary(ports, checkStep)).toMatchObject({ kind: "running", waitSeconds: 60 });
  ports.pass(60);
  const result = await analyzeCanary(ports, checkStep);
  expect(result).toMatchObject({ kind: "parked", waitSeconds: 3600, reason: /waits for "pawl promote"/ });
  expectSelectable("AnalyzeCanary", result);
  expect(ports.cluster.get().inFlight).toMatchObject({ parked: { reason: "CanaryPaused", since: noon } });
  const { record } = ports.cluster.get();
  for (let hour = 2; hour < 24; hour += 1) {
    ports.pass(3600);
    expect(await checkCanary(ports, checkStep)).toMatchObject({ kind: "ready" });
    expect(await analyzeCanary(ports, checkStep)).toMatchObject({ kind: "parked", waitSeconds: 3600 });
  }
  expect(ports.cluster.get().record).toEqual(record);
  ports.pass(3600);
  expect(await analyzeCanary(ports, checkStep)).toMatchObject({ kind: "withdraw" });
});

test("a canary whose owner pauses the workload sleeps after an hour, and is measured again once it is resumed", async () => {
  const problems = problemsOf("spec.paused: the Deployment is paused");
  const ports = around({ ...paused, rollout: frozen, problems });
  expect(await analyzeCanary(ports, checkStep)).toMatchObject({ kind: "running" });
  ports.pass(3600);
  expect(await analyzeCanary(ports, checkStep)).toMatchObject({ kind: "parked", waitSeconds: 3600 });
  expect(ports.cluster.get().inFlight).toMatchObject({ parked: { reason: "WorkloadPaused", since: noon } });
  ports.cluster.put({ ...ports.cluster.get(), rollout: { ...completeRollout, image }, problems: [] });
  expect(await analyzeCanary(ports, checkStep)).toMatchObject({ kind: "parked" });
  expect(ports.cluster.get().inFlight).toMatchObject({ parked: { reason: "CanaryPaused" } });
});

test("a canary that waits for stable replicas never sleeps, however long that is invalid", async () => {
  const analysis = pauseAnalysis(null, "Waiting", "scaled", noon);
  const canary = { ...canaryPods, partition: 2, updatedReplicas: 2, readyReplicas: 2 };
  const rollout = { ...completeRollout, image, readyReplicas: 2 };
  const initial = { ...paused, canary, rollout, analysis, problems: problemsOf("invalid") };
  const ports = around({ ...initial, policy: { ...stepped, healthTimeoutSeconds: 7200 } }, { now: after(90) });
  expect(await analyzeCanary(ports, checkStep)).toMatchObject({ kind: "running", reason: /become stable/ });
});

test("a canary that a setting keeps from being judged sleeps after an hour", async () => {
  const canary = { ...canaryPods, readyReplicas: 0 };
  const begun = canaryWorkload({ policy: stepped, canaryProgress: beginStep(stepped, 1, noon), canary });
  const rollout = { ...completeRollout, image, template: "t-1" };
  const ports = around({ ...begun, rollout, problems: problemsOf("invalid") });
  expect(await checkCanary(ports, checkStep)).toMatchObject({ kind: "progressing" });
  ports.pass(3600);
  const result = await checkCanary(ports, checkStep);
  expect(result).toMatchObject({ kind: "parked", waitSeconds: 3600 });
  expectSelectable("CheckCanary", result);
  ports.cluster.put({ ...ports.cluster.get(), problems: [] });
  expect(await checkCanary(ports, checkStep)).toMatchObject({ kind: "progressing" });
  expect(ports.cluster.get().inFlight).not.toHaveProperty("parked");
});
