import { digestNote } from "../../domain/execution/sent-notes.ts";
import { describeDigest, type DigestReport } from "../../domain/notification/daily-digest.ts";
import type { Ports } from "../../contract/ports.ts";
import { sendOnce } from "./send-once.ts";

export type DigestPorts = Pick<Ports, "cluster" | "events" | "ownPollLease" | "now">;

/** Publishes each digest once for its day. One without a held workload is noted, and not sent. */
export async function sendDigests(ports: DigestPorts, digests: readonly DigestReport[]): Promise<void> {
  for (const { target, date, held, more } of digests) {
    await sendOnce(ports, digestNote(target), date, async () => {
      if (held.length === 0) return;
      const reason = describeDigest({ held, more });
      await ports.events.publishCluster("Daily Digest", {
        cluster: ports.cluster.name,
        reason,
        target,
        date,
        held,
        more,
      });
    });
  }
}
