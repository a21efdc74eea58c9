import { expect, test } from "vitest";
import { maxBatches } from "../../../functions/domain/execution/poll-batches.ts";
import {
  addCounts,
  addReports,
  emptyReport,
  limitNames,
  sumCounts,
} from "../../../functions/domain/execution/poll-totals.ts";

test("reports are added field by field, and other fields stay", () => {
  const totals = { ...emptyReport, evaluated: 2, errors: { Unreachable: 1 }, quarantined: 3, failedBatches: 1 };
  const report = { ...emptyReport, evaluated: 5, unreached: 4, errors: { Unreachable: 2, Forbidden: 1 } };
  expect(addReports(totals, report)).toEqual({
    ...totals,
    evaluated: 7,
    unreached: 4,
    errors: { Unreachable: 3, Forbidden: 1 },
  });
});

test("the names of errors are bounded, and no error is lost", () => {
  const counts = Array.from({ length: 30 }, (_, index) => [`E${index}`, 30 - index] as const);
  const limited = limitNames(counts);
  expect(Object.keys(limited)).toHaveLength(21);
  expect(limited).toMatchObject({ E0: 30, E19: 11, Other: 55 });
  const twice = addCounts(limited, { ...limited, Late: 1 });
  expect(Object.keys(twice).length).toBeLessThanOrEqual(21);
  expect(sumCounts(twice)).toBe(2 * sumCounts(limited) + 1);
});

test("the longest reports of 128 batches are smaller than the state of a machine", () => {
  const counts = Array.from({ length: 30 }, (_, index) => [`CredentialsProviderError${index}`, 1e5] as const);
  const names = limitNames(counts, 5);
  expect(Object.keys(names)).toHaveLength(6);
  const report = { ...emptyReport, evaluated: 1e5, errors: names, failures: names, refusals: names };
  const batch = { bucket: 31, from: 100_000, to: 200_000, attempt: 1, seconds: 250 };
  const results = Array.from({ length: maxBatches }, () => ({ batch, kind: "polled", report }));
  expect(JSON.stringify({ results }).length).toBeLessThan(200 * 1024);
});

test("few names stay as they are", () => {
  expect(limitNames([["A", 1]])).toEqual({ A: 1 });
  expect(addCounts({ A: 1 }, {})).toEqual({ A: 1 });
});
