import type { AuditEntry } from "../../domain/workload/audit/audit-entry.ts";
import { unknownPerson } from "../../domain/workload/audit/audit-entry.ts";
import { changedFreezes, describeFreezes, freezeEventReason } from "../../domain/gates/changed-freezes.ts";
import { formatRfc3339 } from "../../domain/text/rfc3339.ts";
import type { Ports } from "../../contract/ports.ts";
import { freezeName } from "../../ports/cluster.ts";
import { parseFreezeText } from "../read-freezes.ts";
import { sendOnce } from "./send-once.ts";

export type FreezePorts = Pick<Ports, "cluster" | "events" | "ownPollLease" | "now">;

const note = "freezes";

/**
 * Reports each change of the ConfigMap with the freezes, by any person: as an Event on it, and on the bus. Nothing proves who that was. Throws what
 * the lease and the cluster throw.
 */
export async function auditFreezes(ports: FreezePorts): Promise<void> {
  const { cluster, events, now } = ports;
  const found = await cluster.readFreeze();
  // Without the right to read it, each workload that waits says so.
  if (found.kind === "unreadable") return;
  const current = describeFreezes(parseFreezeText(found));
  await sendOnce(ports, note, JSON.stringify(current), async (before) => {
    for (const what of changedFreezes(before, current)) {
      const at = formatRfc3339(now());
      const entry: AuditEntry = { id: `${what}; before: ${before ?? "nothing"}`, at, by: unknownPerson, what };
      const reason = `ConfigMap ${freezeName}: ${what}`;
      await cluster.emitFreezeEvent({ type: "Normal", reason: freezeEventReason, message: reason, key: entry.id });
      await events.publishCluster("Freezes Changed", { cluster: cluster.name, reason, audit: entry });
    }
  });
}
