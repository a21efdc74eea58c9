import { describe, expect, test } from "vitest";
import { analyzeCanary } from "../../../functions/handlers/analyze-canary.ts";
import { checkCanary } from "../../../functions/handlers/check-canary.ts";
import { startCanary } from "../../../functions/handlers/start-canary.ts";
import { beginStep } from "../../../functions/domain/workload/canary/progress.ts";
import { parseCanarySteps } from "../../../functions/domain/workload/canary/steps.ts";
import type { Rollout } from "../../../functions/domain/workload/workload.ts";
import { Unreachable } from "../../../functions/ports/errors.ts";
import type { FakeOptions } from "../../support/fake-ports.ts";
import { after, canaryWorkload, noon, policy } from "../../support/workloads.ts";
import { bad, checkStep, errorRate, good, nothing } from "./canary-steps.ts";
import { around } from "../steps.ts";

const parsed = parseCanarySteps([{ size: 1 }, { pause: { duration: "1h" } }, { size: 2 }]);
if (parsed.kind === "invalid") throw new Error("invalid steps");
const one = { unit: "replicas", amount: 1 } as const;
const stepped = { ...policy, canary: one, canarySteps: parsed.value, analysis: "error-rate" };
const paused = canaryWorkload({ policy: stepped, canaryProgress: beginStep(stepped, 2, noon) });

/** Runs the step until the pause is over, on a clock that advances by each wait. */
async function runPause(options: Partial<FakeOptions>, initial = paused) {
  const ports = around(initial, { analyses: { "error-rate": errorRate }, ...options });
  for (let checks = 0; checks < 1000; checks += 1) {
    const { kind, waitSeconds, reason } = await analyzeCanary(ports, checkStep);
    const minutes = (ports.now().getTime() - noon.getTime()) / 60_000;
    if (kind !== "running") return { kind, reason, minutes, measurements: ports.cluster.get().analysis?.measurements };
    ports.pass(waitSeconds);
  }
  throw new Error("the pause is not over after 1000 checks");
}

describe("in a pause of an hour the analysis of the policy is measured", () => {
  test("a metric that fails after half an hour ends the canary", async () => {
    let queries = 0;
    const { kind, reason, minutes, measurements } = await runPause({ measured: () => (queries++ < 30 ? good : bad) });
    expect({ kind, minutes }).toEqual({ kind: "fail", minutes: 30 });
    expect(reason).toContain("error-rate: 1 failures, 0 allowed");
    expect(measurements?.at(-1)).toMatchObject({ verdict: "fail", value: 0.5 });
  });

  test.for([
    { when: "all is good", options: { measured: () => good } },
    { when: "there is no traffic", options: { measured: () => nothing } },
    { when: "Prometheus does not answer", options: { measured: () => new Unreachable("connect ECONNREFUSED") } },
    { when: "the analysis is invalid", options: { analyses: { "error-rate": "metrics: []" } } },
  ])("if $when, it continues after an hour", async ({ options }) => {
    const { kind, minutes, reason } = await runPause(options);
    expect({ kind, minutes }).toEqual({ kind: "next", minutes: 60 });
    expect(reason).toMatch(/^the pause at step .* is over/);
  });

  test("a person continues it although it was not measured", async () => {
    const run = await runPause({ measured: () => bad }, { ...paused, verdict: "continue" });
    expect(run).toMatchObject({ kind: "next", minutes: 0 });
  });
});

describe("a promotion that a person requests just after the end of a pause does not promote the canary in full", () => {
  const request = { verb: "promote", argument: null, token: "t-1" };
  test.for([
    { by: "AnalyzeCanary", steps: [analyzeCanary, startCanary] },
    { by: "StartCanary", steps: [startCanary] },
  ])("$by answers it", async ({ steps }) => {
    const ports = around(paused, { analyses: { "error-rate": errorRate }, measured: () => good, now: after(61) });
    expect(await analyzeCanary(ports, checkStep)).toMatchObject({ kind: "next" });
    ports.cluster.put({ ...ports.cluster.get(), request });
    for (const step of steps) await step(ports, checkStep);
    expect(ports.cluster.get()).toMatchObject({
      request: null,
      lastRequest: { token: "t-1", result: expect.stringContaining("the canary continues ") },
    });
    expect((await checkCanary(ports, checkStep)).kind).not.toBe("promoted");
  });
});

test.for([
  { when: "with an analysis", analysis: "error-rate" },
  { when: "without an analysis", analysis: null },
])("$when, a pause whose owner gives it another end shows that", async ({ analysis }) => {
  const edited = parseCanarySteps([{ size: 1 }, { pause: {} }, { size: 2 }]);
  if (edited.kind === "invalid") throw new Error("invalid steps");
  const begun = beginStep({ ...stepped, canarySteps: edited.value }, 2, noon);
  const initial = { ...paused, policy: { ...stepped, analysis }, canaryProgress: begun };
  const ports = around(initial, { analyses: { "error-rate": errorRate }, measured: () => good, now: after(30) });
  expect(await analyzeCanary(ports, checkStep)).toMatchObject({ kind: "running" });
  expect(begun).toMatchObject({ waitsFor: "Promotion", until: after(1440) });
  expect(ports.cluster.get().canaryProgress).toEqual({ ...begun, waitsFor: "Time", until: after(60) });
  const { resourceVersion } = ports.cluster.get();
  expect(await analyzeCanary(ports, checkStep)).toMatchObject({ kind: "running" });
  expect(ports.cluster.get().resourceVersion).toBe(resourceVersion);
});

test("the own analysis of a step is measured in the pause after it", async () => {
  const own = parseCanarySteps([{ size: 1, analysis: "error-rate", pause: { duration: "1h" } }]);
  if (own.kind === "invalid") throw new Error("invalid steps");
  const owned = { ...stepped, canarySteps: own.value, analysis: null };
  const workload = canaryWorkload({ policy: owned, canaryProgress: beginStep(owned, 2, noon) });
  expect(await runPause({ measured: () => bad }, workload)).toMatchObject({ kind: "fail", minutes: 0 });
});

test("without an analysis of the policy nothing is measured in a pause", async () => {
  const plain = { ...paused, policy: { ...stepped, analysis: null } };
  expect(await runPause({ measured: () => bad }, plain)).toMatchObject({ kind: "next", minutes: 60 });
});

describe("a promotion that a person requests outside a pause is refused, and continues no later pause", () => {
  const request = { verb: "promote", argument: null, token: "t-1" };
  const unready = { ...(paused.canary as Rollout), readyReplicas: 0 };
  test.for([
    { step: "AnalyzeCanary", run: analyzeCanary, waitsFor: "Analysis", canary: paused.canary, kind: "running" },
    { step: "CheckCanary", run: checkCanary, waitsFor: "Replicas", canary: unready, kind: "progressing" },
  ] as const)("by $step", async ({ run, waitsFor, canary, kind }) => {
    const canaryProgress = beginStep(stepped, 1, noon);
    if (canaryProgress === null) throw new Error("no first step");
    const begun = { ...paused, canary, canaryProgress: { ...canaryProgress, waitsFor }, request } as const;
    const ports = around(begun, { analyses: { "error-rate": errorRate }, measured: () => good, now: after(1) });
    expect(await run(ports, checkStep)).toMatchObject({ kind });
    expect(ports.cluster.get()).toMatchObject({
      inFlight: { phase: "canary" },
      request: null,
      lastRequest: {
        token: "t-1",
        verb: "promote",
        result: expect.stringMatching(/^refused: the canary is not paused/),
      },
    });
  });
});
