import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { MetricProvider } from "../../functions/ports/metric-provider.ts";

export interface MetricProviderUnderTest {
  readonly source: MetricProvider;
  close(): Promise<void>;
}

/** Queries whose result does not depend on scraped metrics. */
const readings = [
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
] as const;

const rejectedQueries = [
  { query: "sum(", message: "parse error" },
  { query: "up[1m]", message: "returns range vectors" },
  { query: `"text"`, message: "returns a string" },
  { query: "", message: "no expression" },
] as const;

/** The contract of every Prometheus and client. */
export function metricProviderContract(name: string, start: () => Promise<MetricProviderUnderTest>): void {
  describe(`${name} as a metric provider`, () => {
    let underTest: MetricProviderUnderTest;
    beforeAll(async () => {
      underTest = await start();
    });
    afterAll(() => underTest.close());

    test.for(readings)("reads $query", async ({ query, reading }) => {
      expect(await underTest.source.query(query)).toEqual({ ...reading, warnings: [] });
    });

    test.for(rejectedQueries)("throws QueryRejected for $query", async ({ query, message }) => {
      const failure: unknown = await underTest.source.query(query).catch((error: unknown) => error);
      expect(failure).toMatchObject({ name: "QueryRejected", message: expect.stringContaining(message) });
    });
  });
}
