import { Conflict } from "../../functions/adapters/errors.ts";
import type { Change, Workload } from "../../functions/domain/workload.ts";
import type { Cluster } from "../../functions/ports/cluster.ts";

export interface FakeCluster extends Pick<Cluster, "list" | "read" | "change"> {
  /** What was written, each with the version that it was decided on. */
  readonly changes: readonly { readonly resourceVersion: string; readonly change: Change }[];
}

/** Lists these workloads; `reads` is what each reading finds, one after the other, and the first `conflicts` writes come too late. */
export function fakeCluster(
  workloads: readonly Workload[],
  { conflicts = 0, reads = [] }: { readonly conflicts?: number; readonly reads?: readonly (Workload | null)[] } = {},
): FakeCluster {
  const changes: { resourceVersion: string; change: Change }[] = [];
  const remaining = [...reads];
  let tooLate = conflicts;
  return {
    changes,
    async *list() {
      yield* workloads;
    },
    read: async () => remaining.shift() ?? null,
    async change({ resourceVersion }, change) {
      tooLate -= 1;
      if (tooLate >= 0) throw new Conflict("it has changed since it was read");
      changes.push({ resourceVersion, change });
    },
  };
}
