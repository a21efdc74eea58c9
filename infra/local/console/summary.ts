import type { PollReport } from "../../../functions/workflows/poll/report.ts";

/** Summarizes a poll's report in one line. */
export function summarizePoll({ pools, skipped, ...report }: PollReport): string {
  if (skipped !== null) return `skipped: ${skipped}`;
  const workloads = `evaluated ${report.evaluated} workloads${describeCounts(report)}`;
  if (pools.evaluated === 0) return workloads;
  return `${workloads}; ${pools.evaluated} node ${pools.evaluated === 1 ? "pool" : "pools"}${describeCounts(pools)}`;
}

interface Counts {
  readonly started: number;
  readonly adopted: number;
  readonly inFlight: number;
  readonly held: number;
  readonly problems?: number;
}

function describeCounts({ started, adopted, inFlight, held, problems = 0 }: Counts): string {
  const parts = [
    [started, "started"],
    [adopted, "adopted"],
    [inFlight, "in flight"],
    [held, "held"],
    [problems, "with problems"],
  ] as const;
  const counts = parts.filter(([count]) => count > 0).map(([count, label]) => `${count} ${label}`);
  return counts.length === 0 ? "" : `: ${counts.join(", ")}`;
}
