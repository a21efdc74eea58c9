import { loadKubeConfig } from "../connect/kube-config.ts";
import type { ContextOptions } from "../options/cluster.ts";
import { describePoll } from "../workloads/last-poll.ts";
import { type Check, failed, passed, unknown } from "./check.ts";

/** Checks by the Lease of the polls that the cluster is polled, by whatever installation. */
export function leaseCheck(options: ContextOptions, namespaces: readonly string[] | null, now: () => Date): Check {
  return {
    name: "last poll",
    async run() {
      const { readLastPoll } = await import("../../functions/adapters/kubernetes/poll-lease.ts");
      const last = await readLastPoll(await loadKubeConfig(options), namespaces);
      const fix =
        "enable the schedule of the deployment (the check schedule), or start pawl local; docs/how-to/troubleshooting.md";
      if (last === null) return unknown("the cluster has no Lease of polls, or was never polled", fix);
      const { text, isOverdue } = describePoll(last, now());
      if (!isOverdue) return passed(text);
      return last.rhythm === null ? unknown(`${text}, if there is one every five minutes`, fix) : failed(text, fix);
    },
  };
}
