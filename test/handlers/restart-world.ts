import type { Workload } from "../../functions/domain/workload.ts";
import { formatDigests } from "../../functions/domain/digests.ts";
import { type FakeOptions, fakePorts, type FakePorts } from "../support/fake-ports.ts";
import { type Faults, interruptions } from "./interruptions.ts";

export interface World extends FakePorts {
  /** What stood behind the tags at each restart, oldest first. */
  readonly restarts: readonly string[];
}

/** A cluster with one workload, whose restarts are counted. */
export function world(seen: Workload, faults: Faults, options: FakeOptions): World {
  const ports = fakePorts({ workloads: [seen], atMoment: interruptions(faults), ...options });
  const restarts: string[] = [];
  let restartedAt = seen.restartedAt;
  const change: FakePorts["cluster"]["change"] = async (workload, wanted) => {
    try {
      await ports.cluster.change(workload, wanted);
    } finally {
      const now = ports.cluster.get();
      if (now.restartedAt !== restartedAt) restarts.push(formatDigests(now.digests?.last ?? {}));
      restartedAt = now.restartedAt;
    }
  };
  return { ...ports, cluster: { ...ports.cluster, change }, restarts };
}

/** What is left once everything has come to its end. */
export function endOf({ cluster, restarts }: World) {
  const { image, isPinned, inFlight, digests, rollout, canary, bookkeeping } = cluster.get();
  const { currentVersion, rollbackCount, circuitOpen, failedVersions, versionHistory } = bookkeeping;
  return {
    image,
    isPinned,
    inFlight,
    canary,
    last: digests?.last,
    isReady: rollout?.readyReplicas === rollout?.desiredReplicas,
    restarts,
    currentVersion,
    rollbackCount,
    circuitOpen,
    failedVersions,
    history: versionHistory.map(({ version, status }) => `${version} ${status}`),
  };
}
