import { describe, expect, test } from "vitest";
import { assess } from "../../../functions/domain/analysis/assess.ts";
import { conclude, withoutCanary, withoutEnd } from "../../../functions/domain/analysis/bake-run.ts";
import { afterSeconds, analysis, errorRate, measured } from "./samples.ts";

describe("a run without an end (p: pass, f: fail, i: inconclusive, e: error)", () => {
  test.for([
    { letters: "", kind: "running" },
    { letters: "p".repeat(50), kind: "running" },
    { letters: "i".repeat(50), kind: "running" },
    { letters: "e".repeat(1000), kind: "running" },
    { letters: "ppppppf", kind: "fail" },
    { letters: "ppppppf", metric: { failureLimit: 1 }, kind: "running" },
    { letters: "pppppff", metric: { failureLimit: 1 }, kind: "fail" },
    { letters: "eeeeiiiif", metric: { consecutiveErrorLimit: 1 }, kind: "fail" },
    { letters: "ppp", metric: { consecutiveSuccesses: 2 }, kind: "running" },
  ])("$letters $metric: $kind", ({ letters, metric = {}, kind }) => {
    const spec = analysis({ deadline: "10m", metrics: [{ ...errorRate, ...metric }] });
    const now = afterSeconds(letters.length + 3600);
    expect(assess(withoutEnd(spec), measured(letters), now).kind).toBe(kind);
  });
});

describe("a run that ends after a minute", () => {
  test.for([
    { letters: "p", kind: "pass", reason: "error-rate: 1 passed, 0 failed" },
    { letters: "ppfp", metric: { failureLimit: 1 }, kind: "pass", reason: "3 passed, 1 failed" },
    { letters: "ppp", metric: { consecutiveSuccesses: 5 }, kind: "pass", reason: "3 passed" },
    { letters: "peep", kind: "pass", reason: "2 passed" },
    { letters: `p${"e".repeat(901)}`, kind: "error", reason: "no data for 15m0s; last: Unreachable" },
    { letters: "iiii", kind: "inconclusive", reason: "4 inconclusive, 3 allowed" },
    { letters: "", kind: "inconclusive", reason: "not measured within 1m0s: error-rate" },
    { letters: "ee", kind: "inconclusive", reason: "not measured within 1m0s: error-rate" },
  ])("$letters $metric: $kind", ({ letters, metric = {}, kind, reason }) => {
    const spec = analysis({ metrics: [{ ...errorRate, ...metric }] });
    const verdict = conclude(spec, measured(letters), 60, afterSeconds(letters.length + 1));
    expect(verdict).toMatchObject({ kind, reason: expect.stringContaining(reason) });
  });

  test("a dry run does not matter, and the others do", () => {
    const metrics = [errorRate, { ...errorRate, name: "latency" }, { ...errorRate, name: "trial", dryRun: true }];
    const verdict = conclude(analysis({ metrics }), measured("p"), 60, afterSeconds(60));
    expect(verdict).toMatchObject({ reason: "not measured within 1m0s: latency" });
  });
});

describe("metrics that compare a canary", () => {
  const compared = { name: "compared", query: 'up{pod=~"{{args.pods}}"}', compare: { maxIncrease: "20%" } };

  test("are left out, if another one decides", () => {
    const spec = withoutCanary(analysis({ metrics: [errorRate, compared] }));
    expect(spec?.metrics.map(({ name }) => name)).toEqual(["error-rate"]);
  });

  test.for([{ metrics: [compared] }, { metrics: [compared, { ...errorRate, dryRun: true }] }])(
    "are not enough: $metrics",
    ({ metrics }) => {
      expect(withoutCanary(analysis({ metrics }))).toBeNull();
    },
  );
});
