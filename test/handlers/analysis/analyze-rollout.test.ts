import { describe, expect, test } from "vitest";
import { analyzeRollout } from "../../../functions/handlers/analyze-rollout.ts";
import { checkReadiness } from "../../../functions/handlers/check-readiness.ts";
import { recordSuccess } from "../../../functions/handlers/record-success.ts";
import { pauseAnalysis } from "../../../functions/domain/analysis/pause.ts";
import { measure, startAnalysis } from "../../../functions/domain/analysis/measure.ts";
import { Unreachable } from "../../../functions/ports/errors.ts";
import { type FakeOptions, killedAt } from "../../support/fake-ports.ts";
import {
  after,
  completeRollout,
  inFlight,
  noon,
  updatingWorkload,
  type WorkloadParts,
} from "../../support/workloads.ts";
import { bad, errorRate, good, nothing } from "../canary/canary-steps.ts";
import { around, expectSelectable, revert, step } from "../steps.ts";
import { problemsOf } from "../../support/problems.ts";

const checkStep = { ...step, executionStartedAt: noon.toISOString() };
const known = { analyses: { "error-rate": errorRate }, measured: () => good };
const unready = { ...completeRollout, template: "t-1", readyReplicas: 2 };
const half = { bake: { seconds: 1800 }, analysis: "error-rate" };
const unreachable = new Unreachable("connect ECONNREFUSED");

function baking({ policy, ...parts }: WorkloadParts = {}) {
  return updatingWorkload({ policy: { ...half, ...policy }, ...parts });
}

/** Runs the step until it returns a verdict, on a clock that advances by each wait. */
async function runToVerdict(initial: ReturnType<typeof baking>, options: Partial<FakeOptions> = {}) {
  const ports = around(initial, { ...known, ...options });
  for (let checks = 0; checks < 200; checks += 1) {
    const result = await analyzeRollout(ports, checkStep);
    expectSelectable("AnalyzeRollout", result);
    const minutes = (ports.now().getTime() - noon.getTime()) / 60_000;
    if (result.kind !== "running") return { ports, minutes, ...result };
    expect(result.waitSeconds).toBeLessThanOrEqual(60);
    ports.pass(result.waitSeconds);
  }
  throw new Error("no verdict after 200 checks");
}

const untilComplete = { bake: { seconds: null } };
const withoutAnalysis = { analysis: null };

describe("a bake time of 30 minutes, and one until the analysis has completed", () => {
  test.for<{ when: string; policy?: object; measured?: FakeOptions["measured"]; verdict: object }>([
    { when: "all is good", verdict: { kind: "pass", minutes: 30, reason: "error-rate: 31 passed, 0 failed" } },
    { when: "a metric fails at once", measured: () => bad, verdict: { kind: "fail", minutes: 0 } },
    { when: "there is no traffic", measured: () => nothing, verdict: { kind: "unknown", minutes: 30 } },
    {
      when: "Prometheus does not answer",
      measured: () => unreachable,
      verdict: { kind: "unknown", reason: expect.stringContaining("no data for 15m0s; last: connect") },
    },
    { when: "there is no analysis", policy: withoutAnalysis, verdict: { kind: "pass", minutes: 30 } },
    { when: "all is good", policy: untilComplete, verdict: { kind: "pass", minutes: 2 } },
    { when: "a metric fails at once", policy: untilComplete, measured: () => bad, verdict: { kind: "fail" } },
    { when: "there is no traffic", policy: untilComplete, measured: () => nothing, verdict: { kind: "unknown" } },
    { when: "the analysis was removed", policy: { ...untilComplete, ...withoutAnalysis }, verdict: { kind: "pass" } },
    { when: "the bake time was removed", policy: { bake: null }, verdict: { kind: "pass", minutes: 0 } },
    {
      when: "auto-update was disabled",
      policy: { optIn: "no" },
      verdict: { kind: "fail", reason: "auto-update was disabled" },
    },
  ])("$when, $policy: $verdict", async ({ policy = {}, measured = known.measured, verdict }) => {
    expect(await runToVerdict(baking({ policy }), { measured })).toMatchObject(verdict);
  });

  test("a metric that fails after 20 minutes rolls back, is counted and blamed", async () => {
    let queries = 0;
    const { ports, reason, minutes } = await runToVerdict(baking(), {
      measured: () => ((queries += 1) > 20 ? bad : good),
    });
    expect(minutes).toBe(20);
    await revert(ports, { ...step, verdict: "fail", reason });
    const { updateRecord } = ports.cluster.get();
    expect(updateRecord).toMatchObject({ rollbackCount: 1, failedVersions: ["1.1.0"] });
    expect(updateRecord.versionHistory).toMatchObject([{ status: "RolledBack", reason }]);
  });

  test("a Prometheus that answers again before the end leaves nothing unknown", async () => {
    let queries = 0;
    const measured = () => ((queries += 1) < 25 ? unreachable : good);
    expect(await runToVerdict(baking(), { measured })).toMatchObject({ kind: "pass", minutes: 30 });
  });

  test("what could not be judged is recorded as healthy, with the reason", async () => {
    const { ports, kind, reason } = await runToVerdict(baking(), { measured: () => nothing });
    await recordSuccess(ports, { ...step, verdict: kind, reason });
    const { updateRecord, inFlight: left } = ports.cluster.get();
    expect(updateRecord.versionHistory).toMatchObject([{ status: "Healthy", reason }]);
    expect(updateRecord).toMatchObject({ currentVersion: "1.1.0", rollbackCount: 0, failedVersions: [] });
    expect(left).toBeNull();
    expect(ports.cluster.events()).toMatchObject([
      { message: expect.stringContaining(`without a verdict: ${reason}`) },
    ]);
  });
});

describe("the pods are watched", () => {
  test.for<{ when: string; parts: WorkloadParts; excused?: number; verdict: object }>([
    {
      when: "one is not ready for the health timeout",
      parts: { rollout: unready },
      verdict: { kind: "fail", reason: "not ready after 600 s: 2 of 3 replicas ready" },
    },
    { when: "its node does not answer", parts: { rollout: unready }, excused: 1, verdict: { kind: "unknown" } },
    {
      when: "its template was edited too",
      parts: { rollout: { ...unready, isTemplateEdited: true } },
      verdict: { kind: "unknown" },
    },
    {
      when: "the workload is scaled to 0",
      parts: { rollout: { ...completeRollout, desiredReplicas: 0, updatedReplicas: 0, readyReplicas: 0 } },
      verdict: { kind: "unknown", minutes: 30, reason: "not judged while it is scaled to 0" },
    },
    {
      when: "a setting is invalid",
      parts: { problems: problemsOf("pawl.dev/schedule"), policy: untilComplete },
      verdict: { kind: "unknown", minutes: 15, reason: "pawl.dev/schedule" },
    },
    {
      when: "the analysis is not found",
      parts: { policy: { ...untilComplete, analysis: "missing" } },
      verdict: { kind: "unknown", minutes: 15, reason: expect.stringContaining("shop/missing") },
    },
  ])("$when: $verdict", async ({ parts, excused = 0, verdict }) => {
    expect(await runToVerdict(baking(parts), { excused })).toMatchObject(verdict);
  });

  test("one that restarts pauses the measurements, and fails nothing", async () => {
    const ports = around(baking(), known);
    await analyzeRollout(ports, checkStep);
    ports.cluster.put({ ...ports.cluster.get(), rollout: unready });
    ports.pass(60);
    expect(await analyzeRollout(ports, checkStep)).toMatchObject({ kind: "running", waitSeconds: 15 });
    expect(ports.cluster.get().analysis).toMatchObject({ pause: { reason: "NotReady", since: after(1) } });
    expect(ports.cluster.get().analysis?.measurements).toHaveLength(1);
    ports.cluster.put({ ...ports.cluster.get(), rollout: completeRollout });
    ports.pass(60);
    expect(await analyzeRollout(ports, checkStep)).toMatchObject({ kind: "running" });
    expect(ports.cluster.get().analysis).toMatchObject({ pause: null, measurements: { length: 2 } });
  });
});

describe("its state is on the workload", () => {
  test("it begins when all replicas are ready, and the measurements of the canary do not count", async () => {
    const ofCanary = measure(
      startAnalysis(after(-20)),
      "error-rate",
      { verdict: "fail", value: 1, note: null },
      after(-9),
    );
    const ports = around(baking({ analysis: ofCanary }), known);
    expect(await checkReadiness(ports, checkStep)).toMatchObject({ kind: "bake" });
    await analyzeRollout(ports, checkStep);
    const { inFlight: noted, analysis } = ports.cluster.get();
    expect(noted?.observation).toEqual({ kind: "baking", since: noon });
    expect(analysis).toMatchObject({ startedAt: noon, measurements: [{ verdict: "pass" }] });
  });

  test.for(["before change", "after change"] as const)("a function killed %s continues", async (moment) => {
    const ports = around(baking(), { ...known, atMoment: killedAt(moment) });
    await expect(analyzeRollout(ports, checkStep)).rejects.toMatchObject({ name: "Killed" });
    expect(await analyzeRollout(ports, checkStep)).toMatchObject({ kind: "running" });
    expect(ports.cluster.get().analysis?.measurements).toHaveLength(1);
  });

  test("an adopted update continues to bake, although a pod is not ready past the health timeout", async () => {
    const observation = { kind: "baking", since: after(-20) } as const;
    const claim = { ...inFlight, startedAt: after(-60), observation };
    const ports = around(baking({ inFlight: claim, rollout: unready }), known);
    expect(await checkReadiness(ports, checkStep)).toMatchObject({ kind: "bake" });
    expect(await analyzeRollout(ports, checkStep)).toMatchObject({ kind: "running" });
  });

  test("a step without news writes nothing, until its claim would expire", async () => {
    const observation = { kind: "baking", since: noon } as const;
    const own = { ...inFlight, observation };
    const record = (minutes: number) => ({ ...baking().record, claimExpiresAt: after(minutes) });
    const quiet = { inFlight: own, analysis: startAnalysis(noon), policy: { analysis: null } };
    const ports = around(baking({ ...quiet, record: record(60) }), known);
    const { resourceVersion } = ports.cluster.get().record;
    await analyzeRollout(ports, checkStep);
    expect(ports.cluster.get().record.resourceVersion).toBe(resourceVersion);
    const expiring = around(baking({ ...quiet, record: record(5) }), known);
    await analyzeRollout(expiring, checkStep);
    expect(expiring.cluster.get().record.resourceVersion).not.toBe(resourceVersion);
  });

  test("an execution that has run for a day continues as a new one", async () => {
    const ports = around(baking({ policy: { bake: { seconds: 86_400 } } }), { ...known, now: after(1441) });
    expect(await analyzeRollout(ports, checkStep)).toMatchObject({ kind: "continue" });
  });

  test("a manual change ends it, and nothing is written", async () => {
    const ports = around(baking({ image: "registry.example/shop/app:hotfix" }), known);
    expect(await analyzeRollout(ports, checkStep)).toMatchObject({ kind: "superseded" });
  });

  test("the queries contain the names of all pods", async () => {
    const queries: string[] = [];
    const analyses = { "error-rate": errorRate.replace("query: errors", `query: "{{args.stable}} {{args.canary}}"`) };
    await analyzeRollout(around(baking(), { analyses, measured: (text) => (queries.push(text), good) }), checkStep);
    expect(queries).toEqual(["app app"]);
  });

  test("what is wrong with the analysis pauses it", async () => {
    const ports = around(baking({ policy: { analysis: "missing" } }), known);
    await analyzeRollout(ports, checkStep);
    expect(ports.cluster.get().analysis?.pause).toEqual(
      pauseAnalysis(
        null,
        "Invalid",
        "the analysis is invalid: ConfigMap shop/missing with the key analysis.yaml not found",
        noon,
      ).pause,
    );
  });
});
