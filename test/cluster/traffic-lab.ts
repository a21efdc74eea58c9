import { eventually } from "../support/control-plane/eventually.ts";
import { startExporter, type Traffic } from "../support/exporter.ts";
import { startRealPrometheus } from "../support/real-prometheus.ts";

export const good: Traffic = { succeeded: 100, failed: 0 };
export const bad: Traffic = { succeeded: 50, failed: 50 };
export const none: Traffic = { succeeded: 0, failed: 0 };

const errorRate = `(sum(rate(http_requests_total{code="500"}[5s])) or vector(0)) / sum(rate(http_requests_total[5s]))`;

/** Measures every second of the real clock, on one that is twenty times as fast. */
export const analysis = {
  interval: "20s",
  count: 3,
  metrics: [{ name: "error-rate", query: errorRate, successCondition: "result < 0.05", consecutiveErrorLimit: 100 }],
};

/** A real Prometheus that scrapes a real exporter, whose traffic a test turns up and down. */
export async function openTraffic() {
  const exporter = await startExporter();
  const prometheus = await startRealPrometheus([exporter.target]);
  return {
    prometheus,
    /** Resolves when Prometheus sees nothing else any more: what was scraped before has left the range of the query. */
    async serve(next: Traffic): Promise<void> {
      exporter.serve(next);
      const isSeen = (rate: number) => (next === none ? Number.isNaN(rate) : next === good ? rate === 0 : rate > 0.4);
      await eventually("Prometheus sees the traffic", async () => {
        const answer = await fetch(`${prometheus.url}/api/v1/query?query=${encodeURIComponent(errorRate)}`);
        const { data } = (await answer.json()) as { data: { result: readonly { value: readonly [number, string] }[] } };
        const [series] = data.result;
        return series !== undefined && isSeen(Number(series.value[1]));
      });
    },
    async close(): Promise<void> {
      await prometheus[Symbol.asyncDispose]();
      await exporter[Symbol.asyncDispose]();
    },
  };
}

export type TrafficLab = Awaited<ReturnType<typeof openTraffic>>;
