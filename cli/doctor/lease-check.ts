import { longestGapSeconds } from "../../infra/config/schedule/schedule-gaps.ts";
import type { ClusterConfig } from "../../infra/config/schema.ts";
import { loadKubeConfig } from "../connect/kube-config.ts";
import type { ContextOptions } from "../options/cluster.ts";
import { describePoll } from "../workloads/last-poll.ts";
import { type Check, failed, passed, unknown } from "./check.ts";

/**
 * Checks by the Lease of the polls that the cluster is polled, by whatever installation. The schedule of the target, if there is one, says when a
 * poll is overdue.
 */
export function leaseCheck(
  options: ContextOptions,
  cluster: Pick<ClusterConfig, "namespaces" | "poll"> | undefined,
  now: () => Date,
): Check {
  return {
    name: "last poll",
    async run() {
      const { readLastPoll } = await import("../../functions/adapters/kubernetes/poll-lease.ts");
      const last = await readLastPoll(await loadKubeConfig(options), cluster?.namespaces ?? null);
      const fix =
        "enable the schedule of the deployment (the check schedule), or start pawl local; docs/how-to/troubleshooting.md";
      if (last === null) return unknown("the cluster has no Lease of polls, or was never polled", fix);
      const planned = cluster && longestGapSeconds(cluster.poll.expression, cluster.poll.timeZone);
      const longestSeconds = planned ?? last.longestSeconds;
      const { text, isOverdue } = describePoll({ ...last, longestSeconds }, now());
      if (!isOverdue) return passed(text);
      return last.rhythm === null && longestSeconds === null
        ? unknown(`${text}, if there is one every five minutes`, fix)
        : failed(text, fix);
    },
  };
}
