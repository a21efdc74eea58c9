import * as fc from "fast-check";
import { expect, test } from "vitest";
import { assess } from "../../../functions/domain/analysis/assess.ts";
import { judge, type MeasurementOutcome } from "../../../functions/domain/analysis/judge.ts";
import { measure, startAnalysis } from "../../../functions/domain/analysis/measure.ts";
import type { QueryResult } from "../../../functions/domain/analysis/query-result.ts";
import type { AnalysisSpec } from "../../../functions/domain/analysis/spec.ts";
import { formatAnalysisState, parseAnalysisState } from "../../../functions/domain/analysis/state.ts";
import { afterSeconds, analysis, errorRate, measured, noon, outcomes } from "./samples.ts";

const letters = fc.array(fc.constantFrom("p", "f", "i", "e"), { maxLength: 40 }).map((list) => list.join(""));
const limit = fc.integer({ min: 0, max: 6 });

/** Analyses of one metric with any valid limits. */
const specs = fc
  .record({ failureLimit: limit, inconclusiveLimit: limit, consecutiveErrorLimit: limit, extra: limit, row: limit })
  .map(({ extra, row, ...limits }): AnalysisSpec => {
    const fields = row === 0 ? limits : { ...limits, consecutiveSuccesses: row };
    return analysis({
      metrics: [{ ...errorRate, ...fields }],
      ...(row === 0 ? { count: limits.failureLimit + 1 + extra } : {}),
    });
  });

const noData: fc.Arbitrary<QueryResult> = fc.oneof(
  fc.constant<QueryResult>({ kind: "none" }),
  fc.integer({ min: 2, max: 99 }).map((count): QueryResult => ({ kind: "several", count })),
  fc.constantFrom(Number.NaN, Infinity, -Infinity).map((value): QueryResult => ({ kind: "value", value })),
);

function kindAfter(spec: AnalysisSpec, run: string): string {
  return assess(spec, measured(run), afterSeconds(run.length)).kind;
}

test("NaN, no series, infinities, several series and errors never pass", () => {
  const outcome = fc.oneof(noData, fc.constant(null));
  fc.assert(
    fc.property(specs, fc.array(outcome, { maxLength: 40 }), fc.nat(100_000), (spec, readings, seconds) => {
      const criterion = spec.metrics[0]!.criterion;
      const state = readings
        .map((reading): MeasurementOutcome => (reading === null ? outcomes.e : judge(criterion, reading)))
        .reduce((before, one) => measure(before, errorRate.name, one, noon), startAnalysis(noon));
      expect(["running", "inconclusive", "error"]).toContain(assess(spec, state, afterSeconds(seconds)).kind);
    }),
  );
});

test("more failures than allowed fail, in any sequence of measurements", () => {
  fc.assert(
    fc.property(specs, letters, letters, (spec, before, after) => {
      const failures = "f".repeat(spec.metrics[0]!.failureLimit + 1);
      const mixed = before
        .split("")
        .flatMap((letter, index) => [letter, failures[index] ?? ""])
        .join("");
      expect(kindAfter(spec, mixed + failures.slice(before.length) + after)).toBe("fail");
    }),
  );
});

test("a pass has enough passes, and no more failures than allowed", () => {
  fc.assert(
    fc.property(specs, letters, (spec, run) => {
      fc.pre(kindAfter(spec, run) === "pass");
      const { count, consecutiveSuccesses, failureLimit } = spec.metrics[0]!;
      const numberOf = (letter: string) => run.split(letter).length - 1;
      expect(numberOf("f")).toBeLessThanOrEqual(failureLimit);
      expect(numberOf("p")).toBeGreaterThanOrEqual(consecutiveSuccesses ?? Number(count) - failureLimit);
    }),
  );
});

test("a dry run never changes the verdict of a run", () => {
  fc.assert(
    fc.property(specs, letters, letters, fc.nat(5000), (spec, run, dryRun, seconds) => {
      const withDry = { ...spec, metrics: [...spec.metrics, { ...spec.metrics[0]!, name: "dry", dryRun: true }] };
      const alone = assess(spec, measured(run), afterSeconds(seconds));
      const both = assess(withDry, measured(dryRun, "dry", measured(run)), afterSeconds(seconds));
      const isRunning = alone.kind === "running"; // the wait may be shorter
      expect(isRunning ? both.kind : both).toEqual(isRunning ? alone.kind : alone);
    }),
  );
});

test("a run waits at least a second, and never beyond its deadline", () => {
  fc.assert(
    fc.property(specs, letters, fc.nat(5000), (spec, run, seconds) => {
      const assessment = assess(spec, measured(run), afterSeconds(seconds));
      if (assessment.kind !== "running") return;
      const { due, waitSeconds } = assessment;
      expect(due.length > 0 ? waitSeconds === 0 : Number.isInteger(waitSeconds) && waitSeconds >= 1).toBe(true);
      expect(waitSeconds).toBeLessThanOrEqual(Math.ceil(spec.deadlineSeconds - seconds));
    }),
  );
});

test("a run has the same assessment after it is formatted and parsed", () => {
  fc.assert(
    fc.property(specs, letters, fc.nat(5000), (spec, run, seconds) => {
      const restored = parseAnalysisState(formatAnalysisState(measured(run)));
      expect(assess(spec, restored!, afterSeconds(seconds))).toEqual(
        assess(spec, measured(run), afterSeconds(seconds)),
      );
    }),
  );
});

test("a run of ten metrics fits into 8 KiB, with any notes", () => {
  const notes = fc.oneof(
    fc.string({ maxLength: 300 }),
    fc.string({ unit: "binary", maxLength: 300 }),
    fc.constant('"'.repeat(300)),
  );
  fc.assert(
    fc.property(fc.array(notes, { minLength: 30, maxLength: 30 }), fc.double({ noNaN: true }), (all, value) => {
      const state = all.reduce((before, note, index) => {
        const metric = `${index % 10}`.padStart(40, "m");
        const known = Number.isFinite(value) ? value : null;
        const stable = known === null ? {} : { baseline: known };
        const outcome = { verdict: "inconclusive", value: known, note, ...stable } as const;
        return measure(before, metric, outcome, noon);
      }, startAnalysis(noon));
      expect(Buffer.byteLength(formatAnalysisState(state))).toBeLessThan(8192);
      expect(parseAnalysisState(formatAnalysisState(state))).toEqual(state);
    }),
  );
});
