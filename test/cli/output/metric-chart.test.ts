import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { metricChart, sparkline } from "../../../cli/output/metric-chart.ts";

test.for<{ values: (number | null)[]; line: string }>([
  { values: [], line: "" },
  { values: [0, 1, 2, 3, 4, 5, 6, 7], line: "▁▂▃▄▅▆▇█" },
  { values: [0.001, 0.001, 0.05, null, 0.002], line: "▁▁█·▁" },
  { values: [3, 3, 3], line: "▁▁▁" },
  { values: [null, null], line: "··" },
  { values: [-1, 0, 1], line: "▁▅█" },
  { values: [-Number.MAX_VALUE, 0, Number.MAX_VALUE], line: "▁▅█" },
])("$values: $line", ({ values, line }) => {
  expect(sparkline(values)).toBe(line);
});

function chart(measurements: readonly { metric: string; value: number | null }[]): readonly string[] {
  return metricChart(measurements, new PassThrough()).trimEnd().split("\n");
}

test("a chart has a line for each metric, with its last, lowest and highest value", () => {
  const lines = chart([
    { metric: "error-rate", value: 0.0123456 },
    { metric: "latency", value: null },
    { metric: "error-rate", value: 0.5 },
    { metric: "error-rate", value: null },
  ]);
  expect(lines).toEqual([
    "METRIC       MEASUREMENTS   LAST   MIN       MAX",
    "error-rate   ▁█·            0.5    0.01235   0.5",
    "latency      ·              -      -         -",
  ]);
});

test("a long run is cut to its last 60 measurements", () => {
  const measurements = Array.from({ length: 500 }, (_, index) => ({ metric: "m", value: index < 440 ? 1e6 : index }));
  const [, line = ""] = chart(measurements);
  expect(line.split(/ +/)).toEqual(["m", expect.stringMatching(/^▁.{58}█$/), "499", "440", "499"]);
});
