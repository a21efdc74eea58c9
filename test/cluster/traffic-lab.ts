import { eventually } from "../support/control-plane/eventually.ts";
import { startExporter } from "../support/exporter.ts";
import { type RealPrometheus, startRealPrometheus } from "../support/real-prometheus.ts";

/** What the service of this name has all the time. */
export type Traffic = "good" | "bad" | "none";

const succeeding = { succeeded: 100, failed: 0 };
const failing = { succeeded: 50, failed: 50 };

function errorRate(app: Traffic): string {
  const all = `sum(rate(http_requests_total{app="${app}"}[5s]))`;
  return `(sum(rate(http_requests_total{app="${app}",code="500"}[5s])) or vector(0)) / ${all}`;
}

/** Measures every second of the real clock, on one that is twenty times as fast. */
export function analysisOf(app: Traffic, more: object = {}) {
  const query = errorRate(app);
  const condition = { successCondition: "result < 0.05", consecutiveErrorLimit: 100 };
  return { interval: "20s", count: 3, metrics: [{ name: "error-rate", query, ...condition, ...more }] };
}

/** A real Prometheus that scrapes a real exporter for each kind of traffic, and sees it in all of them. */
export async function openTraffic() {
  const stack = new AsyncDisposableStack();
  try {
    const exporters = {
      good: stack.use(await startExporter({ app: "good" })),
      bad: stack.use(await startExporter({ app: "bad" })),
      none: stack.use(await startExporter({ app: "none" })),
    };
    exporters.good.serve(succeeding);
    exporters.bad.serve(failing);
    // It has had traffic once: its counters are there.
    exporters.none.serve(succeeding);
    const prometheus = stack.use(await startRealPrometheus(Object.values(exporters).map(({ target }) => target)));
    await untilSeen(prometheus, `http_requests_total{app="none"}`, (count) => count > 0);
    exporters.none.serve({ succeeded: 0, failed: 0 });
    await untilSeen(prometheus, errorRate("none"), Number.isNaN);
    await untilSeen(prometheus, errorRate("good"), (rate) => rate === 0);
    await untilSeen(prometheus, errorRate("bad"), (rate) => rate > 0.4);
    return {
      prometheus,
      /** One more Prometheus, which scrapes one of them. */
      another: async (app: Traffic) => stack.use(await startRealPrometheus([exporters[app].target])),
      close: () => stack.disposeAsync(),
    };
  } catch (error) {
    await stack.disposeAsync();
    throw error;
  }
}

export type TrafficLab = Awaited<ReturnType<typeof openTraffic>>;

async function untilSeen({ url }: RealPrometheus, query: string, accepts: (value: number) => boolean): Promise<void> {
  await eventually(`Prometheus sees what is expected of ${query}`, async () => {
    const answer = await fetch(`${url}/api/v1/query?query=${encodeURIComponent(query)}`);
    const { data } = (await answer.json()) as { data: { result: readonly { value: readonly [number, string] }[] } };
    const [series] = data.result;
    return series !== undefined && accepts(Number(series.value[1]));
  });
}
