import { describe, expect, test } from "vitest";
import type { ProviderAddress } from "../../functions/domain/analysis/spec.ts";
import type { MetricReading } from "../../functions/ports/metric-provider.ts";
import { queryMetric, shareProviders } from "../../functions/workflows/query-metric.ts";
import { analysis, noon } from "../domain/analysis/samples.ts";

function reading(value: number, ...warnings: readonly string[]): MetricReading {
  return { kind: "value", value, warnings };
}

/** Returns a provider with these readings, and the queries that it receives. */
function recording(readings: Readonly<Record<string, MetricReading>>) {
  const asked: [query: string, at: Date | undefined][] = [];
  const provider = {
    async query(query: string, at?: Date) {
      asked.push([query, at]);
      return readings[query] ?? ({ kind: "none", warnings: [] } as const);
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

  test("queries both sides at the same moment, and judges one by the other", async () => {
    const { provider, asked } = recording({ canary: reading(13, "a", "b"), stable: reading(10, "b") });
    expect(await queryMetric(provider, compared, noon)).toEqual({
      outcome: { verdict: "fail", value: 13, note: "13: over 20% above the baseline 10" },
      warnings: ["a", "b"],
    });
    expect(asked).toEqual([
      ["canary", noon],
      ["stable", noon],
    ]);
  });

  test("without a baseline measures nothing", async () => {
    const { provider } = recording({ canary: reading(13) });
    const { outcome } = await queryMetric(provider, compared, noon);
    expect(outcome).toEqual({ verdict: "error", value: null, note: "baseline: the query returned nothing" });
  });
});

test("a metric without a comparison is queried once, at the time of the provider's own clock", async () => {
  const { provider, asked } = recording({ canary: reading(0.02) });
  const { outcome } = await queryMetric(provider, { ...metric({ threshold: 0.01 }), query: "canary" }, noon);
  expect(outcome).toMatchObject({ verdict: "fail", value: 0.02 });
  expect(asked).toEqual([["canary", undefined]]);
});

test("each provider is opened once", async () => {
  const opened: ProviderAddress[] = [];
  const open = shareProviders(async (address) => opened.push(address));
  const addresses: readonly ProviderAddress[] = [
    { kind: "prometheus", address: null },
    { kind: "cloudwatch", region: null },
    { kind: "prometheus", address: { kind: "url", origin: "https://p.example", path: "" } },
    { kind: "cloudwatch", region: "eu-central-1" },
  ];
  for (const address of [...addresses, ...addresses]) await open(structuredClone(address));
  expect(opened).toEqual(addresses);
});
