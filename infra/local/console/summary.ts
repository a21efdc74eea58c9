import { countNoun } from "../../../functions/domain/text/count-noun.ts";
import type { PollReport } from "../../../functions/workflows/poll/report.ts";

/** Summarizes a poll's report in one line. */
export function summarizePoll({ pools, skipped, ...report }: PollReport): string {
  if (skipped !== null) return `skipped: ${skipped}`;
  const workloads = `evaluated ${countNoun(report.evaluated, "workload")}${describeCounts(report)}`;
  if (pools.evaluated === 0) return workloads;
  return `${workloads}; ${countNoun(pools.evaluated, "node pool")}${describeCounts(pools)}`;
}

/** Returns a line for each failed evaluation, and one for all that fail for the same reason, or at the same registry. */
export function summarizeFailures(
  failed: PollReport["failed"],
): readonly { readonly subject: string; readonly text: string }[] {
  const hostOf = (message: string) => /^([\w.-]+(?::\d+)?)\//.exec(message)?.[1] ?? null;
  const groups = Map.groupBy(failed, ({ error, message }) => `${error} ${hostOf(message) ?? message}`);
  return [...groups.values()].flatMap(([first, ...others]) => {
    if (first === undefined) return [];
    const { workload, error, message } = first;
    const name = `${workload.namespace}/${workload.name}`;
    const more = others.length === 0 ? "" : ` for ${others.length + 1} workloads, such as ${name}`;
    const subject = others.length === 0 ? name : (hostOf(message) ?? "poll");
    return [{ subject, text: `evaluation failed${more}: ${error}: ${message}` }];
  });
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
