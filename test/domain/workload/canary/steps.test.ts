import { describe, expect, test } from "vitest";
import { parseCanarySteps } from "../../../../functions/domain/workload/canary/steps.ts";

const percent = (amount: number) => ({ unit: "percent", amount }) as const;
const replicas = { kind: "replicas", size: null, analysis: null, durationSeconds: null } as const;
const day = 86_400;

test("the steps of issue 15 are parsed", () => {
  const written = [
    { size: "5%" },
    { analysis: "error-rate", duration: "10m" },
    { size: "25%" },
    { pause: {} },
    { size: "50%", analysis: " latency " },
  ];
  expect(parseCanarySteps(written)).toEqual({
    kind: "valid",
    value: [
      { ...replicas, size: percent(5) },
      { ...replicas, analysis: "error-rate", durationSeconds: 600 },
      { ...replicas, size: percent(25) },
      { kind: "pause", seconds: day, end: "withdraw" },
      { ...replicas, size: percent(50), analysis: "latency" },
    ],
  });
});

describe("one step is parsed", () => {
  const pause = { kind: "pause", seconds: 3600, end: "continue" } as const;
  test.for([
    { when: "a number", written: { size: 2 }, steps: [{ ...replicas, size: { unit: "replicas", amount: 2 } }] },
    { when: "null as absent", written: { size: "5%", pause: null }, steps: [{ ...replicas, size: percent(5) }] },
    {
      when: "a pause after everything else",
      written: { size: "5%", pause: { duration: "1h" } },
      steps: [{ ...replicas, size: percent(5) }, pause],
    },
    {
      when: "a pause with a limit",
      written: { size: "5%", pause: { withdrawAfter: "168h" } },
      steps: [
        { ...replicas, size: percent(5) },
        { kind: "pause", seconds: 7 * day, end: "withdraw" },
      ],
    },
    {
      when: "an analysis itself",
      written: { size: "5%", analysis: { metrics: [] } },
      steps: [{ ...replicas, size: percent(5), analysis: '{"metrics":[]}' }],
    },
    {
      when: "several analyses",
      written: { size: "5%", analysis: ["error-rate", { metrics: [] }] },
      steps: [{ ...replicas, size: percent(5), analysis: '["error-rate",{"metrics":[]}]' }],
    },
  ])("$when", ({ written, steps }) => {
    expect(parseCanarySteps([written])).toEqual({ kind: "valid", value: steps });
  });
});

describe("a problem names the field", () => {
  const first = { size: "5%" };
  test.for([
    { written: "5%", reason: 'steps: "5%" is not a list of 1 to 30 steps' },
    { written: [], reason: "steps: has 0 entries, at least 1 needed" },
    {
      written: Array.from({ length: 31 }, () => ({ size: "5%" })),
      reason: "steps: has 31 entries, at most 30 allowed",
    },
    { written: [null], reason: "[0]: null is not an object" },
    { written: [{}], reason: "[0]: does nothing; use size, analysis or pause" },
    { written: [{ pause: {} }], reason: "[0].size: is missing; the first step starts the canary, so it needs a size" },
    { written: [{ size: "x" }], reason: '[0].size: "x" is neither a number of replicas (2) nor a percentage (25%)' },
    { written: [{ size: "100%" }], reason: '[0].size: "100%" must leave stable replicas' },
    { written: [{ size: true }], reason: "[0].size: true is not a number of replicas or a percentage" },
    { written: [first, { weight: 5 }], reason: "[1].weight: is not a known field" },
    { written: [first, { size: "5%" }], reason: "[1].size: must be more than that of step 1" },
    { written: [{ size: 3 }, first, { size: 2 }], reason: "[2].size: must be more than that of step 1" },
    { written: [first, { duration: "1m" }], reason: "[1]: does nothing" },
    { written: [{ ...first, duration: "1m" }], reason: "[0].duration: is that of an analysis; use pause" },
    {
      written: [{ ...first, analysis: "x", duration: "25h" }],
      reason: "[0].duration: 90000 is not a duration of 1 to",
    },
    {
      written: [{ ...first, analysis: "" }],
      reason: '[0].analysis: "" is not the name of an analysis, an analysis, or a list of these',
    },
    { written: [{ ...first, analysis: [5] }], reason: "[0].analysis[0]: 5 is not the name of an analysis" },
    { written: [{ ...first, pause: { duration: "1d" } }], reason: '[0].pause.duration: "1d" has an unknown unit' },
    {
      written: [{ ...first, pause: { duration: "1m", withdrawAfter: "2m" } }],
      reason: "[0].pause.withdrawAfter: has no effect on a pause with a duration",
    },
  ])("$reason", ({ written, reason }) => {
    const parsed = parseCanarySteps(written);
    expect(parsed.kind === "invalid" && parsed.problems.map((one) => one.reason)).toEqual(
      expect.arrayContaining([expect.stringContaining(reason)]),
    );
  });

  test("sizes of two units, and equal ones after a pause, are compared with their own unit", () => {
    expect(parseCanarySteps([{ size: 1 }, { size: "1%" }, { size: 2 }, { pause: {} }, { size: "2%" }]).kind).toBe(
      "valid",
    );
  });
});
