import { lastMeasurement } from "../../functions/domain/analysis/last-measurement.ts";
import { canaryPhase, healthCheckPhase, restartPhase } from "../../functions/domain/annotations.ts";
import type { InFlight, Workload } from "../../functions/domain/workload.ts";
import { formatRfc3339 } from "../../functions/domain/time.ts";
import { type Followed, followed } from "./followed.ts";
import { formatWorkloadName } from "./name.ts";
import { runningVersion } from "./versions.ts";

/** One workload as `pawl status --json` prints it. Times are RFC3339 in UTC. */
export interface WorkloadStatus extends Followed {
  readonly workload: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly running: string | null;
  readonly current: string | null;
  readonly available: string | null;
  readonly rollbacks: number;
  readonly maxRollbacks: number;
  readonly circuit: "open" | "closed";
  readonly failedVersions: readonly string[];
  readonly lastCheck: string | null;
  readonly lastUpdate: string | null;
  readonly enabled: boolean;
  readonly paused: boolean;
  readonly inFlight: {
    readonly phase: "HealthCheck" | "Canary" | "Restart" | "RollingBack";
    readonly target: string;
    /** null where it cannot be read. */
    readonly startedAt: string | null;
    readonly execution: string | null;
    readonly previous: string | null;
    /** The last measurement of a canary: `error-rate = 0.002: pass`; null where there is none. */
    readonly measured: string | null;
  } | null;
  readonly held: string | null;
  readonly problems: readonly string[];
}

export function statusOf(workload: Workload): WorkloadStatus {
  const { ref, policy, bookkeeping, inFlight, announced } = workload;
  return {
    workload: formatWorkloadName(ref),
    kind: ref.kind,
    namespace: ref.namespace,
    name: ref.name,
    ...followed(workload),
    running: runningVersion(workload),
    current: bookkeeping.currentVersion,
    available: bookkeeping.availableVersion,
    rollbacks: bookkeeping.rollbackCount,
    maxRollbacks: policy.maxRollbacks,
    circuit: bookkeeping.circuitOpen ? "open" : "closed",
    failedVersions: bookkeeping.failedVersions,
    lastCheck: timeOrNull(bookkeeping.lastCheck),
    lastUpdate: timeOrNull(bookkeeping.lastUpdate),
    enabled: policy.enabled,
    paused: policy.paused,
    inFlight: inFlight === null ? null : markOf(inFlight, workload),
    held: announced.held,
    problems: problemsOf(workload),
  };
}

/** As the annotation spells them, where there is one. */
const phases = {
  canary: canaryPhase,
  rollout: healthCheckPhase,
  restart: restartPhase,
  rollback: "RollingBack",
} as const;

function markOf(
  { targetImage, startedAt, execution, previousImage, phase }: InFlight,
  { analysis }: Workload,
): WorkloadStatus["inFlight"] {
  return {
    phase: phases[phase],
    target: targetImage,
    startedAt: startedAt === "malformed" ? null : formatRfc3339(startedAt),
    execution,
    previous: previousImage,
    measured: phase === "canary" && analysis !== null ? lastMeasurement(analysis) : null,
  };
}

/** What is wrong now; what a poll has announced besides may have come from the registry. */
function problemsOf({ problems, announced }: Workload): readonly string[] {
  return problems.length > 0 || announced.problem === null ? problems : [announced.problem];
}

function timeOrNull(date: Date | null): string | null {
  return date === null ? null : formatRfc3339(date);
}
