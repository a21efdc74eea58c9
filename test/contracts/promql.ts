import type { MetricProviderCases } from "./metric-provider.ts";

/** Queries whose result does not depend on scraped metrics. */
export const promQl: MetricProviderCases = {
  readings: [
    { query: "vector(0.25)", reading: { kind: "value", value: 0.25 } },
    { query: "vector(1e-7)", reading: { kind: "value", value: 1e-7 } },
    { query: "vector(-3)", reading: { kind: "value", value: -3 } },
    { query: "scalar(vector(0.5))", reading: { kind: "value", value: 0.5 } },
    { query: "0 / 0", reading: { kind: "value", value: Number.NaN } },
    { query: "vector(0) / vector(0)", reading: { kind: "value", value: Number.NaN } },
    { query: "vector(1) / vector(0)", reading: { kind: "value", value: Infinity } },
    { query: "vector(-1) / vector(0)", reading: { kind: "value", value: -Infinity } },
    { query: "missing_metric_total", reading: { kind: "none" } },
    { query: "vector(0.001) > 0.01", reading: { kind: "none" } },
    { query: `vector(1) or label_replace(vector(2), "a", "b", "", "")`, reading: { kind: "several", count: 2 } },
    { query: `label_replace(vector(7), "a", "é +%&#?!'()*/", "", "")`, reading: { kind: "value", value: 7 } },
  ],
  rejectedQueries: [
    { query: "sum(", message: "parse error" },
    { query: "up[1m]", message: "returns range vectors" },
    { query: `"text"`, message: "returns a string" },
    { query: "", message: "no expression" },
  ],
  changingQuery: "time()",
};
