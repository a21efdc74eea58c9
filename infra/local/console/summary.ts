import type { PollReport } from "../../../functions/polling/report.ts";

/** What a poll came to, in one line. */
export function summaryOf({ pools, ...report }: PollReport): string {
  const workloads = `looked at ${report.looked} workloads${countsOf(report)}`;
  if (pools.looked === 0) return workloads;
  return `${workloads}; at ${pools.looked} node ${pools.looked === 1 ? "pool" : "pools"}${countsOf(pools)}`;
}

interface Counts {
  readonly started: number;
  readonly adopted: number;
  readonly inFlight: number;
  readonly held: number;
  readonly problems?: number;
}

function countsOf({ started, adopted, inFlight, held, problems = 0 }: Counts): string {
  const parts = [
    [started, "started"],
    [adopted, "adopted"],
    [inFlight, "in flight"],
    [held, "held"],
    [problems, "with a problem"],
  ] as const;
  const said = parts.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}`);
  return said.length === 0 ? "" : `: ${said.join(", ")}`;
}
