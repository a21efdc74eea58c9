import { currentState } from "../../functions/domain/state/current-state.ts";
import type { WorkloadState } from "../../functions/domain/state/state.ts";
import { describeRun } from "../../functions/domain/analysis/assess.ts";
import { canaryPhase, healthCheckPhase, restartPhase } from "../../functions/domain/workload/policy/annotations.ts";
import { bakingSince } from "../../functions/domain/workload/bake/assess-bake.ts";
import { describeRequest } from "../../functions/domain/workload/request/person-request.ts";
import { describeTarget } from "../../functions/domain/workload/target/describe-target.ts";
import { imageOfTarget, type Target, versionOfTarget } from "../../functions/domain/workload/target/target.ts";
import type { InFlight } from "../../functions/domain/workload/update/in-flight.ts";
import type { Workload } from "../../functions/domain/workload/workload.ts";
import { formatRfc3339 } from "../../functions/domain/text/rfc3339.ts";
import { type Tracking, trackingOf } from "./tracking.ts";
import { formatWorkloadName } from "./name.ts";
import { runningVersion } from "./versions.ts";

/** One workload as `pawl status --json` prints it. Times are RFC3339 in UTC. */
export interface WorkloadStatus extends Tracking, WorkloadState {
  readonly workload: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly running: string | null;
  readonly current: string | null;
  readonly available: string | null;
  readonly rollbacks: number;
  /** null for a kind without a circuit. */
  readonly maxRollbacks: number | null;
  readonly circuit: "open" | "closed";
  readonly failedVersions: readonly string[];
  readonly lastCheck: string | null;
  readonly lastUpdate: string | null;
  readonly enabled: boolean;
  readonly paused: boolean;
  readonly inFlight: {
    readonly phase: "HealthCheck" | "Canary" | "Restart" | "Release" | "Baking" | "RollingBack";
    /** The image, with the digest if that is what is new. */
    readonly target: string;
    readonly kind: Target["kind"];
    readonly version: string;
    /** `update to web:1.3.0`, `restart of web:1.2.0`. */
    readonly what: string;
    /** null if it is invalid. */
    readonly startedAt: string | null;
    readonly execution: string | null;
    readonly previous: string | null;
    /** The address of the commit or pull request that has the image; null if there is none. */
    readonly page: string | null;
    /** The last measurement of a canary or in the bake time: `error-rate = 0.002: pass`; null if there is none. */
    readonly measured: string | null;
  } | null;
  readonly held: string | null;
  readonly problems: readonly string[];
  /** A request that was not handled yet, such as `push 1.4.2`. */
  readonly request: string | null;
  /** The request that was handled last. */
  readonly lastRequest: { readonly verb: string; readonly token: string; readonly result: string } | null;
}

export function statusOf(workload: Workload, now: Date): WorkloadStatus {
  const { ref, policy, updateRecord, inFlight, lastReported, request, lastRequest } = workload;
  return {
    workload: formatWorkloadName(ref),
    kind: ref.kind,
    namespace: ref.namespace,
    name: ref.name,
    ...currentState(workload, now),
    ...trackingOf(workload),
    running: runningVersion(workload),
    current: updateRecord.currentVersion,
    available: updateRecord.availableVersion ?? updateRecord.candidateVersion,
    rollbacks: updateRecord.rollbackCount,
    maxRollbacks: policy.maxRollbacks === Number.MAX_SAFE_INTEGER ? null : policy.maxRollbacks,
    circuit: updateRecord.circuitOpen ? "open" : "closed",
    failedVersions: updateRecord.failedVersions,
    lastCheck: timeOrNull(updateRecord.lastCheck),
    lastUpdate: timeOrNull(updateRecord.lastUpdate),
    enabled: policy.optIn !== "no",
    paused: policy.paused,
    inFlight: inFlight === null ? null : describeInFlight(inFlight, workload),
    held: lastReported.held,
    problems: problemsOf(workload),
    request: request === null ? null : describeRequest(request),
    lastRequest:
      lastRequest === null ? null : { verb: lastRequest.verb, token: lastRequest.token, result: lastRequest.result },
  };
}

const phases = {
  canary: canaryPhase,
  rollout: healthCheckPhase,
  restart: restartPhase,
  release: "Release",
  rollback: "RollingBack",
} as const;

function describeInFlight(inFlight: InFlight, { analysis }: Workload): WorkloadStatus["inFlight"] {
  const { target, startedAt, execution, previousImage, phase } = inFlight;
  const isBaking = bakingSince(inFlight) !== null;
  return {
    phase: isBaking ? "Baking" : phases[phase],
    target: imageOfTarget(target),
    kind: target.kind,
    version: versionOfTarget(target) || target.image,
    what: describeTarget(target),
    startedAt: startedAt === "malformed" ? null : formatRfc3339(startedAt),
    execution,
    previous: previousImage,
    page: pageOf(inFlight),
    measured: (phase === "canary" || isBaking) && analysis !== null ? describeRun(analysis) : null,
  };
}

/** Who may write the status of an AutoUpdate may write any text there. */
function pageOf({ git }: InFlight): string | null {
  return git?.url?.startsWith("https://") ? git.url : null;
}

/** Returns the current problems, or else the last reported one, which may be of the registry. */
function problemsOf({ problems, lastReported }: Workload): readonly string[] {
  return problems.length > 0 || lastReported.problem === null
    ? problems.map(({ text }) => text)
    : [lastReported.problem];
}

function timeOrNull(date: Date | null): string | null {
  return date === null ? null : formatRfc3339(date);
}
