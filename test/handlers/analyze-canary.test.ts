import { describe, expect, test } from "vitest";
import { Unreachable } from "../../functions/adapters/errors.ts";
import { analyzeCanary } from "../../functions/handlers/analyze-canary.ts";
import { type FakeOptions, killedAt, once } from "../support/fake-ports.ts";
import { after, canarying, updating } from "../support/workloads.ts";
import { bad, errorRate, good, look, nothing } from "./canary-steps.ts";
import { around, expectSelectable } from "./steps.ts";

const named = { policy: { analysis: "error-rate" } };
const judged = canarying(named);
const away = new Unreachable("connect ECONNREFUSED");
const known = { analyses: { "error-rate": errorRate }, measured: () => good };

/** Runs the step until it decides, on a clock that passes as it is told to wait. */
async function runToVerdict(options: Partial<FakeOptions>) {
  const ports = around(judged, { ...known, ...options });
  const kinds: string[] = [];
  for (let looks = 0; looks < 100; looks += 1) {
    const answer = await analyzeCanary(ports, look);
    expectSelectable("AnalyzeCanary", answer);
    kinds.push(answer.kind);
    if (answer.kind !== "running") return { ports, kinds, answer };
    ports.pass(answer.waitSeconds);
  }
  throw new Error("it does not come to a verdict");
}

describe("measures until it can decide", () => {
  test.for([
    { when: "all is good", measured: () => good, kinds: ["running", "running", "pass"], says: "3 passed, 0 failed" },
    { when: "the first is bad", measured: () => bad, kinds: ["fail"], says: "1 failures, 0 allowed" },
  ])("$when", async ({ measured, kinds, says }) => {
    const run = await runToVerdict({ measured });
    expect(run.kinds).toEqual(kinds);
    expect(run.answer.reason).toContain(says);
    expect(run.ports.cluster.get().analysis?.measurements).toHaveLength(kinds.length);
  });

  test.for([
    { when: "there is no traffic", measured: () => nothing, says: "inconclusive" },
    { when: "Prometheus does not answer", measured: () => away, says: "errors in a row" },
  ])("$when: it is never promoted", async ({ measured, says }) => {
    const { kinds, answer } = await runToVerdict({ measured });
    expect(new Set(kinds)).toEqual(new Set(["running", "fail"]));
    expect(answer.reason).toContain(says);
  });

  test("a measurement that is wanted later is waited for, and none is taken before", async () => {
    const ports = around(judged, known);
    expect(await analyzeCanary(ports, look)).toEqual({
      kind: "running",
      waitSeconds: 60,
      reason: "error-rate = 0.002: pass",
    });
    ports.pass(20);
    const { resourceVersion } = ports.cluster.get();
    expect(await analyzeCanary(ports, look)).toMatchObject({ kind: "running", waitSeconds: 40 });
    expect(ports.cluster.get().resourceVersion).toBe(resourceVersion);
  });

  test("nothing is said of a value before the first is due", async () => {
    const delayed = { ...known, analyses: { "error-rate": `initialDelay: 5m\n${errorRate}` } };
    const ports = around(judged, delayed);
    expect(await analyzeCanary(ports, look)).toMatchObject({ waitSeconds: 300, reason: "nothing was measured yet" });
    ports.pass(300);
    expect(await analyzeCanary(ports, look)).toMatchObject({ reason: "error-rate = 0.002: pass" });
  });

  test("while Prometheus is away nothing is decided, and back again it goes on", async () => {
    let asked = 0;
    const measured = () => ((asked += 1) === 2 || asked === 3 ? away : good);
    const { ports, kinds } = await runToVerdict({ measured });
    expect(kinds).toEqual(["running", "running", "running", "running", "pass"]);
    expect(ports.cluster.get().analysis?.tallies.get("error-rate")).toMatchObject({
      passes: 3,
      errors: 2,
      failures: 0,
    });
  });

  test("a Prometheus that cannot be opened is one that does not answer", async () => {
    const ports = around(judged, known);
    const closed = { ...ports, metricSource: () => Promise.reject(away) };
    expect(await analyzeCanary(closed, look)).toMatchObject({
      kind: "running",
      waitSeconds: 10,
      reason: "error-rate = nothing: error",
    });
  });

  test("the queries are asked about this very canary", async () => {
    const asked: string[] = [];
    const query = `{{args.namespace}}/{{args.name}} {{args.stable}} {{args.canary}}`;
    const measured = (text: string) => (asked.push(text), good);
    const analyses = { "error-rate": errorRate.replace("query: errors", `query: "${query}"`) };
    await analyzeCanary(around(judged, { analyses, measured }), look);
    expect(asked).toEqual(["shop/app app app-canary"]);
  });
});

describe("what was measured is kept on the workload", () => {
  test("a killed Lambda's successor goes on from there", async () => {
    const ports = around(judged, { ...known, atMoment: killedAt("after change") });
    await expect(analyzeCanary(ports, look)).rejects.toMatchObject({ name: "Killed" });
    expect(await analyzeCanary(ports, look)).toMatchObject({ kind: "running", waitSeconds: 60 });
    expect(ports.cluster.get().analysis?.measurements).toHaveLength(1);
  });

  test("a Lambda killed before it could write measures again", async () => {
    const ports = around(judged, { ...known, atMoment: killedAt("before change") });
    await expect(analyzeCanary(ports, look)).rejects.toMatchObject({ name: "Killed" });
    expect(await analyzeCanary(ports, look)).toMatchObject({ kind: "running" });
    expect(ports.cluster.get().analysis?.measurements).toHaveLength(1);
  });

  test("a verdict that is found again is the same, and nothing more is measured", async () => {
    const { ports, answer } = await runToVerdict({ measured: () => bad });
    const { resourceVersion } = ports.cluster.get();
    expect(await analyzeCanary(ports, look)).toEqual(answer);
    expect(ports.cluster.get().resourceVersion).toBe(resourceVersion);
  });

  test("a change between reading and writing is a Conflict, and nothing is kept", async () => {
    const ports = around(judged, { ...known, atMoment: once("before change", () => ports.cluster.put(judged)) });
    await expect(analyzeCanary(ports, look)).rejects.toMatchObject({ name: "Conflict" });
    expect(ports.cluster.get().analysis).toBeNull();
  });
});

test.for([
  { minutes: 1440, kind: "running" },
  { minutes: 1441, kind: "handover" },
])("an execution that has measured for $minutes minutes: $kind", async ({ minutes, kind }) => {
  const ports = around(judged, { ...known, now: after(minutes) });
  expect(await analyzeCanary(ports, look)).toMatchObject({ kind, waitSeconds: 60 });
});

test("an edit of the analysis holds at the next step", async () => {
  const analyses: Record<string, string> = { ...known.analyses };
  const ports = around(judged, { ...known, analyses });
  await analyzeCanary(ports, look);
  analyses["error-rate"] = errorRate.replace("count: 3", "count: 1");
  expect(await analyzeCanary(ports, look)).toMatchObject({ kind: "pass" });
});

test("an error of the step itself is the machine's to retry", async () => {
  const refused = around(judged, { ...known, atMoment: throwAt("before readAnalysis") });
  await expect(analyzeCanary(refused, look)).rejects.toBe(away);
  expect(refused.cluster.get()).toEqual(judged);
});

function throwAt(moment: string) {
  return (now: string) => {
    if (now === moment) throw away;
  };
}

test("what was promoted meanwhile is not judged as a canary any more", async () => {
  const answer = await analyzeCanary(around(updating(named), { ...known, measured: () => bad }), look);
  expect(answer).toMatchObject({ kind: "pass" });
});
