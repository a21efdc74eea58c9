import { repositoryOf } from "../../functions/domain/gates/limits/start-facts.ts";
import type { Workload } from "../../functions/domain/workload/workload.ts";
import type { OpenCluster } from "../connect/cluster.ts";
import { NotFound } from "../exit-codes.ts";
import type { ClusterOptions } from "../options/cluster.ts";
import { listWorkloads } from "./list.ts";
import { formatWorkloadName } from "./name.ts";

/**
 * Returns the workloads that track the repository of this one and in which a version has failed, or any if it is null: they keep the version
 * from the others. Those of its namespace, unless the options name namespaces. Throws `NotFound` if there is none.
 */
export async function findFailed(
  { cluster, inNamespaces }: OpenCluster,
  { ref, source, image }: Workload,
  version: string | null,
  { namespace, allNamespaces }: Pick<ClusterOptions, "namespace" | "allNamespaces">,
): Promise<readonly Workload[]> {
  const isWider = namespace !== undefined || allNamespaces === true;
  const repository = repositoryOf(source ?? image ?? "");
  const failed = (await listWorkloads(isWider ? cluster : inNamespaces([ref.namespace]))).filter(
    (one) =>
      repositoryOf(one.source ?? one.image ?? "") === repository &&
      (version === null
        ? one.updateRecord.failedVersions.length > 0
        : one.updateRecord.failedVersions.includes(version)),
  );
  if (failed.length > 0) return failed;
  throw new NotFound(
    `${formatWorkloadName(ref)}: ${version ?? "no version"} has failed in no workload of ${repository}; use -A for all namespaces`,
  );
}
