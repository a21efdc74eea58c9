import { auditAnswer, auditEvent } from "../domain/workload/audit/audit.ts";
import { type AuditEntry, unknownPerson } from "../domain/workload/audit/audit-entry.ts";
import type { Change } from "../domain/workload/update/change.ts";
import type { Workload } from "../domain/workload/workload.ts";
import type { Cluster } from "../ports/cluster.ts";
import type { Events } from "../ports/events.ts";
import { emitEvent } from "./emit-events.ts";

interface AuditPorts {
  readonly events: Pick<Events, "publish">;
  readonly now: () => Date;
}

/**
 * Returns the cluster with a method `change` that records who asked for what it answers, in the same write as the answer, and emits each
 * entry after it, once.
 */
export function auditChanges<Audited extends Cluster>(cluster: Audited, { events, now }: AuditPorts): Audited {
  async function change(workload: Workload, asked: Change): Promise<void> {
    const answered = auditAnswer(workload, asked, now());
    const { audit: approved = [] } = asked;
    const audit = [
      ...(await prove(answered === null ? [] : [answered], () => cluster.identityProblem("requests"))),
      ...(await prove(approved, () => cluster.identityProblem("approvals"))),
    ];
    await cluster.change(workload, audit.length === 0 ? asked : { ...asked, audit });
    for (const entry of audit) await emitEvent({ cluster, events }, workload, auditEvent(workload, entry));
  }

  return new Proxy(cluster, { get: (of, name) => (name === "change" ? change : (Reflect.get(of, name) as unknown)) });
}

/** Replaces the names of entries that nothing proves. */
async function prove(
  entries: readonly AuditEntry[],
  problem: () => Promise<string | null>,
): Promise<readonly AuditEntry[]> {
  const isNamed = entries.some(({ by }) => by !== unknownPerson);
  if (!isNamed || (await problem()) === null) return entries;
  return entries.map((entry) => ({ ...entry, by: unknownPerson }));
}
