import type { Ports } from "../../contract/ports.ts";
import { collectHeld, type DigestReport } from "../../domain/notification/daily-digest.ts";
import type { Workload } from "../../domain/workload/workload.ts";
import type { Warn } from "./report.ts";

type DigestPorts = Partial<Pick<Ports, "digests">> & Pick<Ports, "metrics">;

interface HeldOptions {
  /** The day of the last digest of each target; null without a Lease, which would remember it: then none is sent. */
  readonly sent: Readonly<Record<string, string>> | null;
  /** The begin of the poll. */
  readonly startedAt: Date;
  /** What earlier parts of the list have collected; null for the first. */
  readonly before: readonly DigestReport[] | null;
  readonly warn: Warn;
}

/**
 * Returns what collects the held workloads of a poll for the daily digests that are due, and sends these. A failure is logged and counted,
 * and the next poll tries again.
 */
export function createHeldReport({ digests, metrics }: DigestPorts, { sent, startedAt, before, warn }: HeldOptions) {
  const collector = collectHeld(sent === null ? [] : (digests?.targets ?? []), sent ?? {}, startedAt, before);
  return {
    reports: () => collector.reports(),
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
