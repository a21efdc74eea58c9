import { describe, expect, test } from "vitest";
import { rollbackOf } from "../../support/rollback.ts";
import { analyzeCanary } from "../../../functions/handlers/analyze-canary.ts";
import { canaryInFlight, canaryPods, canaryWorkload, noon, workload } from "../../support/workloads.ts";
import { errorRate, good, checkStep } from "./canary-steps.ts";
import { around, expectSelectable, withNewUid, writesNothing } from "../steps.ts";
import { problemsOf } from "../../support/problems.ts";

const named = { policy: { analysis: "error-rate" } };
const judged = canaryWorkload(named);
const rollingBack = rollbackOf(canaryInFlight, { startedAt: "malformed" });
const known = { analyses: { "error-rate": errorRate }, measured: () => good };

describe("decides without a measurement", () => {
  test.for([
    {
      when: "no analysis is configured",
      initial: canaryWorkload(),
      kind: "pass",
      reason: "the canary is ready and has no analysis",
    },
    {
      when: "it is promoted manually",
      initial: canaryWorkload({ ...named, verdict: "promote" }),
      kind: "pass",
      reason: "manually",
    },
    {
      when: "it is aborted manually",
      initial: canaryWorkload({ ...named, verdict: "abort" }),
      kind: "fail",
      reason: "manually",
    },
    {
      when: "auto-update is disabled",
      initial: canaryWorkload({ policy: { optIn: "no" } }),
      kind: "fail",
      reason: "disabled",
    },
    {
      when: "its rollback was interrupted",
      initial: workload({ inFlight: rollingBack }),
      kind: "fail",
      reason: "interrupted",
    },
    { when: "the workload is deleted", initial: null, kind: "superseded", reason: "not found" },
    { when: "the workload is recreated", initial: withNewUid(judged), kind: "superseded", reason: "not found" },
    {
      when: "the image is changed manually",
      initial: canaryWorkload({ ...named, image: "app:hotfix" }),
      kind: "superseded",
      reason: "was changed to app:hotfix",
    },
  ])("$kind if $when", async ({ initial, kind, reason }) => {
    const result = await analyzeCanary(around(initial, { ...known, atMoment: writesNothing }), checkStep);
    expect(result).toMatchObject({ kind, waitSeconds: 0, reason: expect.stringContaining(reason) });
    expectSelectable("AnalyzeCanary", result);
  });
});

const unready = { ...canaryPods, readyReplicas: 0 };
const withoutPod = { ...canaryPods, updatedReplicas: 0, readyReplicas: 0 };
describe("assesses the canary before each measurement", () => {
  test.for([
    { when: "0 of 1 replicas are ready", canary: unready, kind: "fail", reason: "0 of 1 replicas ready" },
    { when: "it was deleted", canary: null, kind: "withdraw", reason: "the canary does not exist" },
    { when: "it has no pod", canary: withoutPod, kind: "withdraw", reason: "0 of 1 replicas updated" },
  ])("$kind if $when for longer than the health timeout", async ({ canary, kind, reason }) => {
    const ports = around({ ...judged, canary }, { ...known, measured: never });
    const first = await analyzeCanary(ports, checkStep);
    expect(first).toMatchObject({ kind: "running", waitSeconds: 15, reason: expect.stringContaining(reason) });
    expect(ports.cluster.get().analysis?.pause).toMatchObject({ reason: "NotReady", since: noon });
    const { resourceVersion } = ports.cluster.get();
    ports.pass(600);
    expect(await analyzeCanary(ports, checkStep)).toMatchObject({ kind: "running" });
    expect(ports.cluster.get().resourceVersion).toBe(resourceVersion);
    ports.pass(1);
    const last = await analyzeCanary(ports, checkStep);
    expect(last).toMatchObject({ kind, waitSeconds: 0, reason: expect.stringContaining(reason) });
    expectSelectable("AnalyzeCanary", last);
  });

  test.for([{ policy: named.policy }, { policy: { analysis: null } }])(
    "a restart pauses the analysis $policy.analysis and fails nothing",
    async ({ policy }) => {
      const ports = around(canaryWorkload({ policy, canary: unready }), known);
      expect(await analyzeCanary(ports, checkStep)).toMatchObject({ kind: "running" });
      ports.pass(590);
      ports.cluster.put({ ...ports.cluster.get(), canary: canaryPods });
      const kind = policy.analysis === null ? "pass" : "running";
      expect(await analyzeCanary(ports, checkStep)).toMatchObject({ kind });
      if (policy.analysis === null) return;
      expect(ports.cluster.get().analysis?.pause).toBeNull();
      ports.cluster.put({ ...ports.cluster.get(), canary: unready });
      ports.pass(60);
      expect(await analyzeCanary(ports, checkStep)).toMatchObject({ kind: "running" });
    },
  );

  test("nothing is concluded while a setting is invalid", async () => {
    const problems = problemsOf('pawl.dev/health-timeout "45 m": unknown unit');
    const ports = around({ ...judged, canary: unready, problems }, { ...known, measured: never });
    await analyzeCanary(ports, checkStep);
    ports.pass(3600);
    expect(await analyzeCanary(ports, checkStep)).toMatchObject({
      kind: "running",
      waitSeconds: 60,
      reason: problems[0]?.text,
    });
  });
});

describe("an analysis that becomes invalid", () => {
  const invalid = "the analysis is invalid: ";
  test.for([
    { when: "it is not YAML", analysis: "metrics: [}", reason: "" },
    { when: "a field is misspelled", analysis: "{metric: []}", reason: "metrics: is missing" },
    {
      when: "an argument is unknown",
      analysis: "{count: 1, metrics: [{name: e, query: 'up{a=\"{{args.missing}}\"}', threshold: 1}]}",
      reason: "metrics[0].query",
    },
  ])("withdraws the canary after 15 minutes if $when", async ({ analysis, reason }) => {
    const ports = around(canaryWorkload({ policy: { analysis } }), known);
    const expected = expect.stringContaining(`${invalid}${reason}`);
    expect(await analyzeCanary(ports, checkStep)).toMatchObject({ kind: "running", waitSeconds: 60, reason: expected });
    expect(ports.cluster.get().analysis?.pause).toMatchObject({ reason: "Invalid" });
    ports.pass(899);
    expect(await analyzeCanary(ports, checkStep)).toMatchObject({ kind: "running" });
    ports.pass(1);
    expect(await analyzeCanary(ports, checkStep)).toMatchObject({ kind: "withdraw", waitSeconds: 0, reason: expected });
  });

  test("measures again after it is fixed", async () => {
    const analyses: Record<string, string> = {};
    const ports = around(judged, { ...known, analyses });
    await analyzeCanary(ports, checkStep);
    ports.pass(840);
    analyses["error-rate"] = errorRate;
    expect(await analyzeCanary(ports, checkStep)).toMatchObject({
      kind: "running",
      reason: "error-rate = 0.002: pass",
    });
    expect(ports.cluster.get().analysis?.pause).toBeNull();
  });
});

function never(): never {
  throw new Error("it is measured");
}
