import { Conflict } from "../../functions/ports/errors.ts";
import type { Change } from "../../functions/domain/workload/update/change.ts";
import type { Workload } from "../../functions/domain/workload/workload.ts";
import type { Cluster } from "../../functions/ports/cluster.ts";
import { formatRequest } from "../../functions/domain/workload/request/person-request.ts";

export interface FakeCluster extends Pick<Cluster, "list" | "read" | "change" | "request"> {
  /** The requests that were written. */
  readonly requests: readonly string[];
  /** The changes that were written, and the resource version of each. */
  readonly changes: readonly { readonly resourceVersion: string; readonly change: Change }[];
}

/** Lists these workloads. `reads` are the results of the reads, in order; the first `conflicts` writes throw `Conflict`. */
export function fakeCluster(
  workloads: readonly Workload[],
  { conflicts = 0, reads = [] }: { readonly conflicts?: number; readonly reads?: readonly (Workload | null)[] } = {},
): FakeCluster {
  const changes: { resourceVersion: string; change: Change }[] = [];
  const requests: string[] = [];
  const remaining = [...reads];
  let remainingConflicts = conflicts;
  return {
    changes,
    requests,
    async *list() {
      yield* workloads;
    },
    read: async () => remaining.shift() ?? null,
    async request(_workload, request) {
      remainingConflicts -= 1;
      if (remainingConflicts >= 0) throw new Conflict("it has changed since it was read");
      requests.push(formatRequest(request));
    },
    async change({ resourceVersion }, change) {
      remainingConflicts -= 1;
      if (remainingConflicts >= 0) throw new Conflict("it has changed since it was read");
      changes.push({ resourceVersion, change });
    },
  };
}
