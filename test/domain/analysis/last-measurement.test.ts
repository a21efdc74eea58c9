import { expect, test } from "vitest";
import { lastMeasurement } from "../../../functions/domain/analysis/last-measurement.ts";
import { measured } from "./samples.ts";

test.for([
  { letters: "", says: null },
  { letters: "fp", says: "error-rate = 0.002: pass" },
  { letters: "pf", says: "error-rate = 0.05: fail" },
  { letters: "pi", says: "error-rate = nothing: inconclusive" },
  { letters: "pe", says: "error-rate = nothing: error" },
])('after "$letters": $says', ({ letters, says }) => {
  expect(lastMeasurement(measured(letters))).toBe(says);
});
