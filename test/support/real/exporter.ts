import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** Requests between two scrapes. */
export interface Traffic {
  readonly succeeded: number;
  readonly failed: number;
}

export interface Exporter extends AsyncDisposable {
  /** `127.0.0.1:port`; Prometheus scrapes `/metrics`. */
  readonly target: string;
  /** Sets the traffic from the next scrape on. */
  serve(traffic: Traffic): void;
}

/**
 * Starts an exporter of `http_requests_total` by status code, in the text format. As in most client libraries, a series is
 * absent until it counts.
 */
export async function startExporter(labels: Readonly<Record<string, string>> = {}): Promise<Exporter> {
  const counted = { 200: 0, 500: 0 };
  let traffic: Traffic = { succeeded: 0, failed: 0 };
  const server = createServer((_, response) => {
    counted[200] += traffic.succeeded;
    counted[500] += traffic.failed;
    response.writeHead(200, { "content-type": "text/plain; version=0.0.4" }).end(formatMetrics(counted, labels));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    target: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    serve: (next) => (traffic = next),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await once(server.close(), "close");
    },
  };
}

function formatMetrics(counted: Readonly<Record<string, number>>, labels: Readonly<Record<string, string>>): string {
  const rest = Object.entries(labels).map(([label, value]) => `,${label}="${value}"`);
  const samples = Object.entries(counted)
    .filter(([, count]) => count > 0)
    .map(([code, count]) => `http_requests_total{code="${code}"${rest.join("")}} ${count}\n`);
  return `# TYPE http_requests_total counter\n${samples.join("")}`;
}
