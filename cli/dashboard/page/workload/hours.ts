import type { WorkloadRow } from "../../model.ts";

/** The updates that ended in one hour. */
export interface Hour {
  readonly healthy: number;
  readonly failed: number;
}

const hourMs = 3_600_000;

/** Counts the updates of the last 24 hours by hour, the oldest first. */
export function countHours(rows: readonly Pick<WorkloadRow, "recent">[], now: number): readonly Hour[] {
  const hours = Array.from({ length: 24 }, () => ({ healthy: 0, failed: 0 }));
  for (const { at, isHealthy } of rows.flatMap(({ recent }) => recent)) {
    // A faster clock, as of the demo, may be ahead.
    const hour = hours[23 - Math.floor(Math.max(0, now - Date.parse(at)) / hourMs)];
    if (hour !== undefined) hour[isHealthy ? "healthy" : "failed"] += 1;
  }
  return hours;
}
