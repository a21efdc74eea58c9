import type { KubeConfig } from "@kubernetes/client-node";
import type { Workload, WorkloadRef } from "../../../functions/domain/workload/workload.ts";
import type { Cluster } from "../../../functions/ports/cluster.ts";
import type { Registry } from "../../../functions/ports/registry.ts";
import { diffReleases } from "../../workloads/diff-releases.ts";
import { explainWorkload } from "../../workloads/explain.ts";
import type { DiffDocument, NextPollDocument } from "../detail-model.ts";
import type { Executions } from "./executions.ts";
import type { Query } from "./cluster-view.ts";
import { readWorkloadDetail } from "./workload-detail.ts";

interface Sources {
  readonly cluster: Cluster;
  readonly kubeConfig: KubeConfig;
  readonly registry: Registry;
  readonly executions: Executions;
  readonly now: () => Date;
  readonly refOf: (key: string) => WorkloadRef | null;
}

/** Returns what the page may ask about the workload of `key`. */
export function workloadQueries({ cluster, kubeConfig, registry, executions, now, refOf }: Sources) {
  const read = async (search: URLSearchParams): Promise<Workload | null> => {
    const ref = refOf(search.get("key") ?? "");
    return ref === null ? null : cluster.read(ref);
  };
  return {
    async workload(search) {
      const ref = refOf(search.get("key") ?? "");
      return ref === null ? null : readWorkloadDetail({ cluster, kubeConfig, executions, now }, ref);
    },
    /** Between the releases `from` and `to`, or what runs now. */
    async diff(search): Promise<DiffDocument | null> {
      const workload = await read(search);
      if (workload === null) return null;
      const snapshots = await cluster.readSnapshots(workload);
      const { text } = diffReleases(
        workload,
        snapshots,
        search.get("from") ?? undefined,
        search.get("to") ?? undefined,
      );
      return { text };
    },
    /** Asks the registry. */
    async next(search): Promise<NextPollDocument | null> {
      const workload = await read(search);
      if (workload === null) return null;
      const { nextPoll, nextDue, tags, hiddenTags } = await explainWorkload({ cluster, registry, now }, workload);
      return { ...nextPoll, nextDue, tags, hiddenTags };
    },
  } satisfies Readonly<Record<string, Query>>;
}
