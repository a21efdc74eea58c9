import type { KubeConfig } from "@kubernetes/client-node";
import type { Cluster } from "../../functions/ports/cluster.ts";
import { deniedGroup } from "../output/describe-skipped.ts";

/**
 * Does not report kinds that the cluster does not have. An API server answers 403 for these too, before 404, so a user who may not list Claws
 * would hear of them in every cluster. Discovery, which everybody may use, tells.
 */
export function withoutAbsentKinds<Of extends Pick<Cluster, "list">>(cluster: Of, kubeConfig: KubeConfig): Of {
  return {
    ...cluster,
    async *list(onSkipped) {
      const skipped: Error[] = [];
      yield* cluster.list(onSkipped && ((error) => skipped.push(error)));
      if (skipped.length === 0) return;
      const groups = await servedGroups(kubeConfig).catch(() => null);
      const isAbsent = (group: string | null) => group !== null && groups !== null && !groups.has(group);
      for (const error of skipped) if (!isAbsent(deniedGroup(error))) onSkipped?.(error);
    },
  };
}

async function servedGroups(kubeConfig: KubeConfig): Promise<ReadonlySet<string>> {
  const { ApisApi } = await import("@kubernetes/client-node");
  const { groups } = await kubeConfig.makeApiClient(ApisApi).getAPIVersions();
  return new Set(groups.map(({ name }) => name));
}
