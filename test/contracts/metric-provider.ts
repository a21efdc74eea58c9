import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import type { QueryResult } from "../../functions/domain/analysis/query-result.ts";
import type { MetricProvider, MetricReading } from "../../functions/ports/metric-provider.ts";

export interface MetricProviderUnderTest {
  readonly provider: MetricProvider;
  close(): Promise<void>;
}

export interface MetricProviderCases {
  readonly readings: readonly {
    readonly query: string;
    readonly reading: QueryResult;
    readonly warnings?: readonly string[];
  }[];
  readonly rejectedQueries: readonly { readonly query: string; readonly message: string }[];
  /** Its value differs from minute to minute; null if the provider measures only now. */
  readonly changingQuery: string | null;
}

/** How an endpoint answers all requests. */
export type Failure = "denied" | "throttled" | "unavailable" | "hangs up";

const errorNames = {
  denied: "QueryRejected",
  throttled: "Throttled",
  unavailable: "Unreachable",
  "hangs up": "Unreachable",
} as const satisfies Record<Failure, string>;

interface Options {
  readonly cases: MetricProviderCases;
  readonly start: () => Promise<MetricProviderUnderTest>;
  /** null if the endpoint cannot be made to fail. */
  readonly startFailing: ((failure: Failure) => Promise<MetricProviderUnderTest>) | null;
  /** The name of the error if access is denied. */
  readonly deniedName?: "QueryRejected" | "Forbidden";
}

/** The contract of every metric provider. */
export function metricProviderContract(
  name: string,
  { cases, start, startFailing, deniedName = "QueryRejected" }: Options,
): void {
  describe(`${name} as a metric provider`, () => {
    let underTest: MetricProviderUnderTest;
    beforeAll(async () => {
      underTest = await start();
    });
    afterAll(() => underTest.close());

    test.for(cases.readings)("reads $query", async ({ query, reading, warnings = [] }) => {
      const { at, ...found } = await underTest.provider.query(query);
      expect(found).toEqual({ ...reading, warnings });
      expect(at instanceof Date || reading.kind !== "value").toBe(true);
    });

    test.for(cases.rejectedQueries)("throws QueryRejected for $query", async ({ query, message }) => {
      const failure: unknown = await underTest.provider.query(query).catch((error: unknown) => error);
      expect(failure).toMatchObject({ name: "QueryRejected", message: expect.stringContaining(message) });
    });

    const { changingQuery } = cases;
    test.skipIf(changingQuery === null)("measures at the time that it is given", async () => {
      const hourAgo = new Date(Math.floor(Date.now() / 1000) * 1000 - 3_600_000);
      const readAfter = async (seconds: number) =>
        underTest.provider.query(changingQuery ?? "", new Date(hourAgo.getTime() + seconds * 1000));
      const first = await readAfter(0);
      expect(first).toMatchObject({ kind: "value", at: hourAgo });
      expect(await readAfter(0)).toEqual(first);
      expect(await readAfter(120)).toMatchObject({ kind: "value", value: expect.not.closeTo(valueOf(first)) });
    });

    const failures = startFailing === null ? [] : (Object.keys(errorNames) as Failure[]);
    test.for(failures)("names the error of an endpoint that is: %s", async (failure) => {
      const failing = await startFailing?.(failure);
      onTestFinished(async () => failing?.close());
      const [{ query } = { query: "" }] = cases.readings;
      await expect(failing?.provider.query(query)).rejects.toMatchObject({
        name: failure === "denied" ? deniedName : errorNames[failure],
      });
    });
  });
}

function valueOf(reading: MetricReading): number {
  return reading.kind === "value" ? reading.value : Number.NaN;
}
