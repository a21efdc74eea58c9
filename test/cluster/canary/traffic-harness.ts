import { eventually } from "../../support/control-plane/eventually.ts";
import { startExporter } from "../../support/real/exporter.ts";
import { type RealPrometheus, startRealPrometheus } from "../../support/real/real-prometheus.ts";

/** The name of a service, and the kind of its constant traffic. */
export type Traffic = "good" | "bad" | "none";

const succeeding = { succeeded: 100, failed: 0 };
const failing = { succeeded: 50, failed: 50 };

function errorRateQuery(app: string): string {
  const all = `sum(rate(http_requests_total{app="${app}"}[5s]))`;
  return `(sum(rate(http_requests_total{app="${app}",code="500"}[5s])) or vector(0)) / ${all}`;
}

/** Creates an analysis that measures once per second of real time, on a clock that runs 20 times as fast. */
export function createAnalysis(app: Traffic, noDataTimeout: string) {
  const metric = { name: "error-rate", query: errorRateQuery(app), successCondition: "result < 0.05" };
  return { interval: "20s", count: 3, noDataTimeout, metrics: [metric] };
}

/** Creates an analysis that compares the sets of a StatefulCanary `db`; see `openTrafficHarness`. */
export function createComparison(noDataTimeout: string) {
  const metric = { name: "error-rate", query: errorRateQuery("{{args.set}}"), compare: { maxIncrease: "20%" } };
  return { interval: "20s", count: 3, noDataTimeout, metrics: [metric] };
}

/** Opens a real Prometheus that scrapes a real exporter for each kind of traffic. Waits until it has scraped each of them. */
export async function openTrafficHarness() {
  const stack = new AsyncDisposableStack();
  try {
    const exporters = {
      good: stack.use(await startExporter({ app: "good" })),
      bad: stack.use(await startExporter({ app: "bad" })),
      none: stack.use(await startExporter({ app: "none" })),
      stableSet: stack.use(await startExporter({ app: "db-stable" })),
      canarySet: stack.use(await startExporter({ app: "db-canary" })),
    };
    exporters.good.serve(succeeding);
    exporters.bad.serve(failing);
    exporters.stableSet.serve({ succeeded: 60, failed: 40 });
    exporters.canarySet.serve(failing);
    // Its counters exist only after some traffic.
    exporters.none.serve(succeeding);
    const prometheus = stack.use(await startRealPrometheus(Object.values(exporters).map(({ target }) => target)));
    await waitForQuery(prometheus, `http_requests_total{app="none"}`, (count) => count > 0);
    exporters.none.serve({ succeeded: 0, failed: 0 });
    await waitForQuery(prometheus, errorRateQuery("none"), Number.isNaN);
    await waitForQuery(prometheus, errorRateQuery("good"), (rate) => rate === 0);
    await waitForQuery(prometheus, errorRateQuery("bad"), (rate) => rate > 0.4);
    await waitForQuery(prometheus, errorRateQuery("db-stable"), (rate) => rate > 0.3);
    await waitForQuery(prometheus, errorRateQuery("db-canary"), (rate) => rate > 0.4);
    return {
      prometheus,
      /** Starts another Prometheus, which scrapes one exporter. */
      startPrometheus: async (app: Traffic) => stack.use(await startRealPrometheus([exporters[app].target])),
      close: () => stack.disposeAsync(),
    };
  } catch (error) {
    await stack.disposeAsync();
    throw error;
  }
}

export type TrafficHarness = Awaited<ReturnType<typeof openTrafficHarness>>;

async function waitForQuery(
  { url }: RealPrometheus,
  query: string,
  accepts: (value: number) => boolean,
): Promise<void> {
  await eventually(`Prometheus returns the expected value of ${query}`, async () => {
    const response = await fetch(`${url}/api/v1/query?query=${encodeURIComponent(query)}`);
    const { data } = (await response.json()) as { data: { result: readonly { value: readonly [number, string] }[] } };
    const [series] = data.result;
    return series !== undefined && accepts(Number(series.value[1]));
  });
}
