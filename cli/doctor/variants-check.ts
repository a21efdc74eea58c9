import { versioningProblems } from "../../functions/domain/workload/decision/versioning-problems.ts";
import { connectCluster } from "../connect/cluster.ts";
import type { ContextOptions } from "../options/cluster.ts";
import type { DeploymentOptions } from "../options/deployment.ts";
import { listQuietly } from "../workloads/list.ts";
import { formatWorkloadName } from "../workloads/name.ts";
import { type Check, failed, passed } from "./check.ts";

/** Names the workloads that run a variant under a constraint such as `>=1.0.0-0`, which once admitted variants and now stops their updates. */
export function variantsCheck(options: ContextOptions & DeploymentOptions): Check {
  return {
    name: "variants",
    async run() {
      const { cluster } = await connectCluster(options);
      const { workloads } = await listQuietly(cluster);
      const unclear = workloads.filter((workload) => versioningProblems(workload).length > 0);
      if (unclear.length === 0) return passed(`clear in ${workloads.length} workloads`);
      const names = unclear.map(({ ref }) => formatWorkloadName(ref)).join(", ");
      return failed(
        `it is unclear how tags are read, as with a constraint that ends with -0: ${names}`,
        "set pawl.dev/versioning to container or semver: docs/reference/annotations.md#tags-and-variants",
      );
    },
  };
}
