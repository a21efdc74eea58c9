import { describe, expect, test } from "vitest";
import { Unreachable } from "../../../functions/ports/errors.ts";
import { analyzeCanary } from "../../../functions/handlers/analyze-canary.ts";
import { type FakeOptions, killedAt } from "../../support/fake-ports.ts";
import { after, canaryWorkload, noon } from "../../support/workloads.ts";
import { bad, errorRate, good, checkStep, nothing, runToVerdict } from "./canary-steps.ts";
import { around } from "../steps.ts";

const named = { policy: { analysis: "error-rate" } };
const judged = canaryWorkload(named);
const unreachable = new Unreachable("connect ECONNREFUSED");
const known = { analyses: { "error-rate": errorRate }, measured: () => good };

const run = (options: Partial<FakeOptions>) => runToVerdict(judged, { ...known, ...options });

describe("measures until it can decide", () => {
  test.for([
    { when: "all is good", measured: () => good, kinds: ["running", "running", "pass"], reason: "3 passed, 0 failed" },
    { when: "the first is bad", measured: () => bad, kinds: ["fail"], reason: "1 failures, 0 allowed" },
  ])("$when", async ({ measured, kinds, reason }) => {
    const { kinds: seen, result, ports } = await run({ measured });
    expect(seen).toEqual(kinds);
    expect(result.reason).toContain(reason);
    expect(ports.cluster.get().analysis?.measurements).toHaveLength(kinds.length);
  });

  test.for([
    {
      when: "there is no traffic",
      measured: () => nothing,
      reason: "no data for 15m0s; last: the query returned nothing",
    },
    { when: "Prometheus does not answer", measured: () => unreachable, reason: "no data for 15m0s; last: connect" },
  ])("$when: it is withdrawn", async ({ measured, reason }) => {
    const { kinds, result } = await run({ measured });
    expect(new Set(kinds)).toEqual(new Set(["running", "withdraw"]));
    expect(result.reason).toContain(reason);
  });

  test("the reason has no value before the first measurement", async () => {
    const delayed = { ...known, analyses: { "error-rate": `initialDelay: 5m\n${errorRate}` } };
    const ports = around(judged, delayed);
    expect(await analyzeCanary(ports, checkStep)).toMatchObject({ waitSeconds: 300, reason: "no measurement yet" });
    ports.pass(300);
    expect(await analyzeCanary(ports, checkStep)).toMatchObject({ reason: "error-rate = 0.002: pass" });
  });

  test("while Prometheus is unreachable nothing is decided, and afterwards it continues", async () => {
    let queries = 0;
    const measured = () => ((queries += 1) === 2 || queries === 3 ? unreachable : good);
    const { ports, kinds } = await run({ measured });
    expect(kinds).toEqual(["running", "running", "running", "running", "pass"]);
    expect(ports.cluster.get().analysis?.counts.get("error-rate")).toMatchObject({
      passes: 3,
      errors: 2,
      failures: 0,
    });
  });

  test("a Prometheus that is away for 14 minutes neither fails nor withdraws the canary", async () => {
    let queries = 0;
    const measured = () => ((queries += 1) > 1 && queries < 20 ? unreachable : good);
    const { kinds, ports } = await run({ measured });
    expect(ports.now().getTime() - noon.getTime()).toBeGreaterThan(14 * 60_000);
    expect(kinds.at(-1)).toBe("pass");
    expect(ports.cluster.get().analysis?.counts.get("error-rate")).toMatchObject({ passes: 3, failures: 0 });
  });

  test("a Prometheus that cannot be opened counts as unreachable", async () => {
    const ports = around(judged, known);
    const closed = { ...ports, metricProvider: () => Promise.reject(unreachable) };
    expect(await analyzeCanary(closed, checkStep)).toMatchObject({
      kind: "running",
      waitSeconds: 10,
      reason: "error-rate = nothing: error",
    });
  });

  test("the queries contain the names of this canary", async () => {
    const queries: string[] = [];
    const query = `{{args.namespace}}/{{args.name}} {{args.stable}} {{args.canary}}`;
    const measured = (text: string) => (queries.push(text), good);
    const analyses = { "error-rate": errorRate.replace("query: errors", `query: "${query}"`) };
    await analyzeCanary(around(judged, { analyses, measured }), checkStep);
    expect(queries).toEqual(["shop/app app app-canary"]);
  });
});

describe("measurements are recorded on the workload", () => {
  test("the successor of a killed function continues from there", async () => {
    const ports = around(judged, { ...known, atMoment: killedAt("after change") });
    await expect(analyzeCanary(ports, checkStep)).rejects.toMatchObject({ name: "Killed" });
    expect(await analyzeCanary(ports, checkStep)).toMatchObject({ kind: "running", waitSeconds: 60 });
    expect(ports.cluster.get().analysis?.measurements).toHaveLength(1);
  });

  test("a function that was killed before it wrote measures again", async () => {
    const ports = around(judged, { ...known, atMoment: killedAt("before change") });
    await expect(analyzeCanary(ports, checkStep)).rejects.toMatchObject({ name: "Killed" });
    expect(await analyzeCanary(ports, checkStep)).toMatchObject({ kind: "running" });
    expect(ports.cluster.get().analysis?.measurements).toHaveLength(1);
  });

  test("a repeated check returns the same verdict without a measurement", async () => {
    const { ports, result } = await run({ measured: () => bad });
    const { resourceVersion } = ports.cluster.get();
    expect(await analyzeCanary(ports, checkStep)).toEqual(result);
    expect(ports.cluster.get().resourceVersion).toBe(resourceVersion);
  });
});

test.for([
  { minutes: 1440, kind: "running" },
  { minutes: 1441, kind: "continue" },
])("an execution that has measured for $minutes minutes: $kind", async ({ minutes, kind }) => {
  const ports = around(judged, { ...known, now: after(minutes) });
  expect(await analyzeCanary(ports, checkStep)).toMatchObject({ kind, waitSeconds: 60 });
});

test("an edit of the analysis applies in the next step", async () => {
  const analyses: Record<string, string> = { ...known.analyses };
  const ports = around(judged, { ...known, analyses });
  await analyzeCanary(ports, checkStep);
  analyses["error-rate"] = errorRate.replace("count: 3", "count: 1");
  expect(await analyzeCanary(ports, checkStep)).toMatchObject({ kind: "pass" });
});
