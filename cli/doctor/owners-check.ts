import { manualChangeGate } from "../../functions/domain/gates/manual-change.ts";
import { allowedScopes, type GitScope } from "../../functions/domain/workload/git/write-to.ts";
import { describeCoexistence } from "../../functions/domain/workload/owner/coexistence.ts";
import type { Workload } from "../../functions/domain/workload/workload.ts";
import { mapConcurrent } from "../../functions/workflows/map-concurrent.ts";
import { connectCluster } from "../connect/cluster.ts";
import type { ContextOptions } from "../options/cluster.ts";
import type { DeploymentOptions } from "../options/deployment.ts";
import { listQuietly } from "../workloads/list.ts";
import { formatWorkloadName } from "../workloads/name.ts";
import { type Check, failed, passed } from "./check.ts";

/** Each is read by itself: a list does not show who manages an object. */
const maxRead = 500;
const maxConcurrentReads = 8;
const maxShown = 10;

interface Owned {
  readonly text: string;
  /** It runs what was set in place of Pawl's last version. */
  readonly isSetBack: boolean;
}

/** Names the workloads whose image another owner sets too, and the setting for each. It fails if one has set back an image. */
export function ownersCheck(
  options: ContextOptions & DeploymentOptions,
  git: readonly GitScope[],
  now: () => Date,
): Check {
  const allowedFor = ({ ref }: Workload) => allowedScopes(git, ref.namespace).map(({ name }) => name);
  return {
    name: "owners",
    async run() {
      const { cluster } = await connectCluster(options);
      const { workloads } = await listQuietly(cluster);
      const describe = async (workload: Workload): Promise<readonly Owned[]> => {
        const owned = await cluster.readOwner(workload);
        const isSetBack = manualChangeGate.evaluate(workload, null, now()) !== null;
        const setting =
          owned && `${formatWorkloadName(workload.ref)}: ${describeCoexistence(workload, owned, allowedFor(workload))}`;
        return setting === null ? [] : [{ text: setting, isSetBack }];
      };
      const read = workloads.slice(0, maxRead);
      const found = (await mapConcurrent(read, maxConcurrentReads, describe)).flat();
      const setBack = found.filter(({ isSetBack }) => isSetBack);
      const checked = `of ${read.length}${read.length < workloads.length ? ` of ${workloads.length}` : ""} workloads`;
      if (setBack.length > 0)
        return failed(
          `${setBack.length} ${checked} run what was set in place of the last version of Pawl`,
          `${listTexts(setBack)}; docs/how-to/owners.md`,
        );
      return passed(found.length === 0 ? `none ${checked}` : `${found.length} ${checked}: ${listTexts(found)}`);
    },
  };
}

function listTexts(found: readonly Owned[]): string {
  const more = found.length - maxShown;
  const texts = found.slice(0, maxShown).map(({ text }) => text);
  return [...texts, ...(more > 0 ? [`${more} more: run pawl explain`] : [])].join("; ");
}
