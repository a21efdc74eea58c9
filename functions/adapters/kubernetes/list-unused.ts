import { BudgetExceeded } from "../../domain/budget/budget-exceeded.ts";
import type { Workload } from "../../domain/workload/workload.ts";
import type { ListSteps, OnSkipped } from "../../ports/cluster.ts";
import type { KubernetesApi } from "./api.ts";
import type { AutoUpdates } from "./auto-update/list.ts";
import { isFailedRequest } from "./errors.ts";
import type { WorkloadKind } from "./kinds/kind.ts";
import { ListInterrupted } from "./list-position.ts";
import { reportedReason } from "./kinds/record/unused-auto-update.ts";

interface UnusedListing {
  readonly api: KubernetesApi;
  readonly autoUpdates: AutoUpdates;
  /** The lists that were denied or failed, by `listKey`. */
  readonly denied: ReadonlySet<string>;
  readonly steps: ListSteps | undefined;
}

export function listKey(kind: string, namespace: string | null): string {
  return `${kind} ${namespace ?? ""}`;
}

/** For how many AutoUpdates of a namespace a poll asks whether their target exists: one request each. */
const maxAskedPerNamespace = 100;

/**
 * Yields the AutoUpdates that update nothing. Skips those whose target must not be listed or read. Of a namespace with many that were not
 * reported yet, the others follow in the next polls.
 */
export async function* listUnused(
  unused: WorkloadKind,
  { api, autoUpdates, denied, steps }: UnusedListing,
  onSkipped: OnSkipped | undefined,
): AsyncGenerator<Workload> {
  const asked = new Map<string, number>();
  for (const autoUpdate of autoUpdates.rest()) {
    const { namespace } = autoUpdate.metadata;
    const count = (asked.get(namespace) ?? 0) + (reportedReason(autoUpdate) === null ? 1 : 0);
    asked.set(namespace, count);
    if (count > maxAskedPerNamespace && reportedReason(autoUpdate) === null) continue;
    const { kind } = autoUpdate.spec.targetRef;
    if (denied.has(listKey(kind, null)) || denied.has(listKey(kind, autoUpdate.metadata.namespace))) continue;
    try {
      const workload = await unused.read(autoUpdate, api, null);
      if (workload.problems.length > 0) yield workload;
    } catch (error) {
      if (!isFailedRequest(error)) throw error;
    }
    if (steps?.isDue() === true) throw new ListInterrupted();
  }
  for (const [namespace, count] of asked)
    if (count > maxAskedPerNamespace)
      onSkipped?.(
        new BudgetExceeded(
          `namespace ${namespace} has ${count} AutoUpdates without a workload, of which one poll reads ${maxAskedPerNamespace}; delete them`,
        ),
      );
}
