import type { Workload } from "../../../functions/domain/workload/workload.ts";
import { formatDigests } from "../../../functions/domain/workload/digest/digests.ts";
import { type FakeOptions, fakePorts, type FakePorts } from "../../support/fake-ports.ts";

export interface RestartPorts extends FakePorts {
  /** The digests of each restart, oldest first. */
  readonly restarts: readonly string[];
}

/** Creates ports with one workload, which record its restarts. */
export function createRestartPorts(initial: Workload, options: FakeOptions): RestartPorts {
  const ports = fakePorts({ workloads: [initial], ...options });
  const restarts: string[] = [];
  let restartedAt = initial.restartedAt;
  const change: FakePorts["cluster"]["change"] = async (workload, wanted) => {
    try {
      await ports.cluster.change(workload, wanted);
    } finally {
      const now = ports.cluster.get();
      if (now.restartedAt !== restartedAt) restarts.push(formatDigests(now.digests?.deployed ?? {}));
      restartedAt = now.restartedAt;
    }
  };
  return { ...ports, cluster: { ...ports.cluster, change }, restarts };
}

/** Returns the final state. */
export function finalState({ cluster, restarts }: RestartPorts) {
  const { image, isPinnedByPawl, inFlight, digests, rollout, canary, updateRecord } = cluster.get();
  const { currentVersion, rollbackCount, circuitOpen, failedVersions, versionHistory } = updateRecord;
  return {
    image,
    isPinned: isPinnedByPawl,
    inFlight,
    canary,
    last: digests?.deployed,
    isReady: rollout?.readyReplicas === rollout?.desiredReplicas,
    restarts,
    currentVersion,
    rollbackCount,
    circuitOpen,
    failedVersions,
    history: versionHistory.map(({ version, status }) => `${version} ${status}`),
  };
}
