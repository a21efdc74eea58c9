import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { runPawl } from "../run-pawl.ts";

// The commands are slow on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "pawl-replay-"));
});
afterAll(() => rm(directory, { recursive: true }));

async function writeTemporary(text: string): Promise<string> {
  const path = join(directory, crypto.randomUUID());
  await writeFile(path, text);
  return path;
}

const start = Date.UTC(2026, 0, 1) / 1000;

/** An answer of query_range with a value per minute; null is none. */
function answer(values: readonly (number | string | null)[], step = 60) {
  const samples = values.flatMap((value, index) => (value === null ? [] : [[start + index * step, `${value}`]]));
  return { status: "success", data: { resultType: "matrix", result: [{ metric: {}, values: samples }] } };
}

const threshold = { name: "error-rate", query: 'sum(rate(errors{pod=~"{{args.canaryPods}}"}[1m]))', threshold: 0.1 };
const latency = { name: "latency", query: "p99[1m]", threshold: 1 };
const counted = {
  name: "error-rate",
  compare: { numerator: "errors{pod=~'{{args.pods}}'}", denominator: "all{pod=~'{{args.pods}}'}", maxIncrease: "20%" },
};
const counts = (errors: number) => ({
  canary: answer(Array.from({ length: 10 }, () => errors)),
  stable: answer(Array.from({ length: 10 }, () => 10)),
  canaryDenominator: answer(Array.from({ length: 10 }, () => 1000)),
  stableDenominator: answer(Array.from({ length: 10 }, () => 1000)),
});

async function replay(recording: unknown, metrics: readonly object[] = [threshold], args: readonly string[] = []) {
  const analysis = await writeTemporary(JSON.stringify({ interval: "1m", count: 3, metrics }));
  const text = typeof recording === "string" ? recording : JSON.stringify(recording);
  return await runPawl(["analyze", analysis, "--replay", await writeTemporary(text), ...args]);
}

const job = { name: "smoke", job: { name: "smoke-test" } };

describe.concurrent("pawl analyze --replay", () => {
  test.for<{ when: string; recording: object; metrics?: readonly object[]; status: number; end: string }>([
    {
      // The range of the first sample is before the run.
      when: "passes when the last metric has",
      recording: answer([9, 0, 0.05, 0.01]),
      status: 0,
      end: "pass at 2026-01-01T00:03:00Z: error-rate: 3 passed, 0 failed",
    },
    {
      when: "fails at the first failure",
      recording: { "error-rate": answer([0, 0, 0.2, 0]), latency: answer([0, 0, 0, 0]) },
      metrics: [threshold, latency],
      status: 1,
      end: "fail at 2026-01-01T00:02:00Z: error-rate: 1 failures, 0 allowed; last: 0.2: result > 0.1",
    },
    {
      when: "is inconclusive if the recording is too short",
      recording: answer([0, 0, 0]),
      status: 1,
      end: "inconclusive at 2026-01-01T00:03:00Z: not decided within 3m0s: error-rate, when the recording ends",
    },
    {
      when: "has an error where nothing, or no number, is recorded",
      recording: answer([0, "NaN", null, ...Array.from({ length: 20 }, () => "+Inf"), 0]),
      status: 3,
      end: "error at 2026-01-01T00:16:33Z: error-rate: no data for 15m",
    },
    {
      when: "finds more errors than those of the stable pods",
      recording: { "error-rate": counts(40) },
      metrics: [counted],
      status: 1,
      end: "fail at 2026-01-01T00:01:00Z: error-rate: 1 failures, 0 allowed; last: 0.04",
    },
    {
      when: "passes a canary like the stable pods",
      recording: { "error-rate": counts(10) },
      metrics: [counted],
      status: 0,
      end: "pass at 2026-01-01T00:03:00Z",
    },
    {
      when: "leaves Jobs out",
      recording: answer([0, 0, 0, 0]),
      metrics: [threshold, job],
      status: 1,
      end: "which was not created",
    },
  ])("$when", async ({ recording, metrics, status, end }) => {
    const ran = await replay(recording, metrics);
    expect(ran).toMatchObject({ stderr: "", status, stdout: expect.stringContaining(end) });
  });

  test("prints when it was decided as JSON too", async () => {
    const ran = await replay(answer([0, 0.5]), [threshold], ["--json"]);
    expect(JSON.parse(ran.stdout)).toMatchObject({
      verdict: "fail",
      at: "2026-01-01T00:01:00Z",
      measurements: [{ metric: "error-rate", at: "2026-01-01T00:01:00Z", value: 0.5 }],
    });
  });

  const { data } = answer([0]);
  const [series] = data.result;
  const withSamples = (values: unknown) => ({ ...answer([]), data: { ...data, result: [{ values }] } });
  test.for<{ when: string; recording: unknown; metrics?: readonly object[]; message: string }>([
    { when: "a text that is no JSON", recording: "status: success", message: "no JSON could be read" },
    { when: "a metric without a series", recording: {}, message: "error-rate: " },
    {
      when: "a series of an unknown metric",
      recording: { "error-rate": answer([0]), error: answer([0]) },
      message: "error",
    },
    {
      when: "an answer with an error",
      recording: { status: "error", error: "boom" },
      message: 'error-rate.status: "error" is not success',
    },
    {
      when: "an answer of an instant query",
      recording: { status: "success", data: { resultType: "vector", result: [] } },
      message: 'error-rate.data.resultType: "vector" is not matrix',
    },
    {
      when: "several series",
      recording: { status: "success", data: { ...data, result: [series, series] } },
      message: "one series; aggregate the query",
    },
    { when: "no samples", recording: withSamples([]), message: "values: has 0 entries" },
    { when: "a value that is no number", recording: withSamples([[start, "many"]]), message: "a number as a text" },
    {
      when: "samples in another order",
      recording: withSamples([
        [start + 60, "0"],
        [start, "0"],
      ]),
      message: "its samples are not in the order of their times",
    },
    {
      when: "an answer that was not complete",
      recording: { ...answer([0]), warnings: ["a store did not answer"] },
      message: "warnings: ",
    },
    {
      when: "samples that are rarer than measurements",
      recording: answer([0, 0], 300),
      message: "has a sample every 5m0s, and is measured every 1m0s; record it with step=60",
    },
    {
      when: "one series of a comparison only",
      recording: { "error-rate": { canary: answer([0]) } },
      metrics: [counted],
      message: "error-rate.stable",
    },
    { when: "an analysis of Jobs", recording: {}, metrics: [job], message: "the analysis has only Jobs" },
  ])("refuses $when", async ({ recording, metrics, message }) => {
    const ran = await replay(recording, metrics);
    expect(ran).toMatchObject({ stdout: "", status: 2, stderr: expect.stringContaining(message) });
  });
});
