import { describe, expect, test } from "vitest";
import type { QuerySource } from "../../functions/domain/analysis/spec.ts";
import type { MetricReading } from "../../functions/ports/metric-provider.ts";
import { queryMetric, shareProviders } from "../../functions/workflows/query-metric.ts";
import { analysis } from "../domain/analysis/samples.ts";

/** When the provider evaluates queries. */
const evaluatedAt = new Date("2026-11-20T11:59:58.123Z");

function reading(value: number, ...warnings: readonly string[]): MetricReading {
  return { kind: "value", value, at: evaluatedAt, warnings };
}

/** Returns a provider with these readings, and the queries that it receives. */
function recording(readings: Readonly<Record<string, MetricReading>>) {
  const asked: [query: string, at: Date | undefined][] = [];
  const provider = {
    async query(query: string, at?: Date) {
      asked.push([query, at]);
      return readings[query] ?? ({ kind: "none", at: null, warnings: [] } as const);
    },
  };
  return { provider, asked };
}

function metric(fields: object) {
  const [parsed] = analysis({ metrics: [{ name: "share", query: "{{args.pods}}", ...fields }] }).metrics;
  if (parsed === undefined) throw new Error("no metric");
  return parsed;
}

describe("a comparison", () => {
  const compared = { ...metric({ compare: { maxIncrease: "20%" } }), query: "canary", baselineQuery: "stable" };

  test("queries both sides about the same moment of the provider's clock, and judges one by the other", async () => {
    const { provider, asked } = recording({ canary: reading(13, "a", "b"), stable: reading(10, "b") });
    expect(await queryMetric(provider, compared)).toEqual({
      outcome: { verdict: "fail", value: 13, note: "13: over 20% above the baseline 10", baseline: 10 },
      warnings: ["a", "b"],
    });
    expect(asked).toEqual([
      ["canary", undefined],
      ["stable", evaluatedAt],
    ]);
  });

  test("queries no baseline without a value of the canary", async () => {
    const { provider, asked } = recording({ stable: reading(10) });
    const { outcome } = await queryMetric(provider, compared);
    expect(outcome).toEqual({ verdict: "error", value: null, note: "the query returned nothing" });
    expect(asked).toEqual([["canary", undefined]]);
  });

  test("queries the baseline now if the answer about the canary has no time", async () => {
    const { provider, asked } = recording({ canary: { ...reading(9), at: null }, stable: reading(10) });
    expect((await queryMetric(provider, compared)).outcome).toMatchObject({ verdict: "pass" });
    expect(asked).toEqual([
      ["canary", undefined],
      ["stable", undefined],
    ]);
  });

  test("without a baseline measures nothing", async () => {
    const { provider } = recording({ canary: reading(13) });
    const { outcome } = await queryMetric(provider, compared);
    expect(outcome).toEqual({ verdict: "error", value: null, note: "baseline: the query returned nothing" });
  });
});

test("a metric without a comparison is queried once, at the time of the provider's own clock", async () => {
  const { provider, asked } = recording({ canary: reading(0.02) });
  const { outcome } = await queryMetric(provider, { ...metric({ threshold: 0.01 }), query: "canary" });
  expect(outcome).toMatchObject({ verdict: "fail", value: 0.02 });
  expect(asked).toEqual([["canary", undefined]]);
});

test("each provider is opened once", async () => {
  const opened: QuerySource[] = [];
  const open = shareProviders(async (address) => opened.push(address));
  const addresses: readonly QuerySource[] = [
    { kind: "prometheus", address: null },
    { kind: "cloudwatch", address: null },
    { kind: "prometheus", address: "https://p.example" },
    { kind: "cloudwatch", address: "eu-central-1" },
  ];
  for (const address of [...addresses, ...addresses]) await open(structuredClone(address));
  expect(opened).toEqual(addresses);
});
