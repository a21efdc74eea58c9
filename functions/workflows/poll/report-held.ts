import type { Ports } from "../../contract/ports.ts";
import { collectHeld } from "../../domain/notification/daily-digest.ts";
import type { Workload } from "../../domain/workload/workload.ts";
import type { Warn } from "./report.ts";

type DigestPorts = Partial<Pick<Ports, "digests">> & Pick<Ports, "now" | "metrics">;

/**
 * Returns what collects the held workloads of a poll for the daily digests that are due, and sends these. `sent` has the day of the last digest of each
 * target; null without a Lease, which would remember it: then none is sent. A failure is logged and counted, and the next poll tries again.
 */
export function createHeldReport(
  { digests, now, metrics }: DigestPorts,
  sent: Readonly<Record<string, string>> | null,
  warn: Warn,
) {
  const collector = collectHeld(sent === null ? [] : (digests?.targets ?? []), sent ?? {}, now());
  return {
    async *watch(workloads: AsyncIterable<Workload>): AsyncGenerator<Workload> {
      for await (const workload of workloads) {
        collector.add(workload);
        yield workload;
      }
    },
    async send(): Promise<void> {
      const reports = collector.reports();
      if (reports.length === 0) return;
      try {
        await digests?.send(reports);
      } catch (error) {
        const { name, message } = error instanceof Error ? error : new Error(String(error));
        warn("the daily digest was not sent; the next poll tries again", { failure: name, reason: message });
        metrics.record("pawl_errors_total", 1, { error: name });
      }
    },
  };
}
