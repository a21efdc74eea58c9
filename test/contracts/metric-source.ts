import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { MetricSource } from "../../functions/ports/metric-source.ts";

export interface MetricSourceUnderTest {
  readonly source: MetricSource;
  close(): Promise<void>;
}

/** Queries that any Prometheus answers in this way, whatever it has scraped. */
const readings = [
  { query: "vector(0.25)", reading: { kind: "value", value: 0.25 } },
  { query: "vector(1e-7)", reading: { kind: "value", value: 1e-7 } },
  { query: "vector(-3)", reading: { kind: "value", value: -3 } },
  { query: "scalar(vector(0.5))", reading: { kind: "value", value: 0.5 } },
  { query: "0 / 0", reading: { kind: "value", value: Number.NaN } },
  { query: "vector(0) / vector(0)", reading: { kind: "value", value: Number.NaN } },
  { query: "vector(1) / vector(0)", reading: { kind: "value", value: Infinity } },
  { query: "vector(-1) / vector(0)", reading: { kind: "value", value: -Infinity } },
  { query: "nobody_counts_this_total", reading: { kind: "none" } },
  { query: "vector(0.001) > 0.01", reading: { kind: "none" } },
  { query: `vector(1) or label_replace(vector(2), "a", "b", "", "")`, reading: { kind: "several", count: 2 } },
  { query: `label_replace(vector(7), "a", "é +%&#?!'()*/", "", "")`, reading: { kind: "value", value: 7 } },
] as const;

const refusals = [
  { query: "sum(", says: "parse error" },
  { query: "up[1m]", says: "gives ranges" },
  { query: `"text"`, says: "gives a text" },
  { query: "", says: "no expression" },
] as const;

/** What a Prometheus and a way to it promise together, whichever they are. */
export function metricSourceContract(name: string, start: () => Promise<MetricSourceUnderTest>): void {
  describe(`${name} as a source of metrics`, () => {
    let bench: MetricSourceUnderTest;
    beforeAll(async () => {
      bench = await start();
    });
    afterAll(() => bench.close());

    test.for(readings)("reads $query", async ({ query, reading }) => {
      expect(await bench.source.query(query)).toEqual({ ...reading, warnings: [] });
    });

    test.for(refusals)("is refused $query, for good", async ({ query, says }) => {
      const failure: unknown = await bench.source.query(query).catch((error: unknown) => error);
      expect(failure).toMatchObject({ name: "QueryRefused", message: expect.stringContaining(says) });
    });
  });
}
