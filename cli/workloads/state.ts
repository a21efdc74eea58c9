import type { HistoryStatus } from "../../functions/domain/workload/workload.ts";
import type { WorkloadState } from "../dashboard/model.ts";
import type { WorkloadStatus } from "./status.ts";

interface StateAndReason {
  readonly state: WorkloadState;
  /** Empty if there is nothing to say. */
  readonly reason: string;
}

/** Returns the state of a workload in one word, highest severity first, and why it is in it. */
export function stateOf(status: WorkloadStatus): StateAndReason {
  const { problems, circuit, inFlight, request, held, paused, enabled, available, current, running } = status;
  if (problems.length > 0) return { state: "Problem", reason: problems.join("; ") };
  if (inFlight !== null) return { state: phases[inFlight.phase], reason: inFlight.measured ?? inFlight.what };
  if (circuit === "open") return { state: "CircuitOpen", reason: held ?? describeFailures(status) };
  if (request !== null) return { state: "Requested", reason: `requested, and not handled yet: ${request}` };
  if (paused) return { state: "Paused", reason: held ?? "" };
  if (!enabled) return { state: "Disabled", reason: "auto-update is disabled" };
  if (held !== null) return { state: "Held", reason: held };
  if (available !== null && available !== current && available !== running)
    return {
      state: "UpdateAvailable",
      reason: describeFailures(status) || `${available} is not applied yet; the next poll decides`,
    };
  return { state: "UpToDate", reason: describeLast(status) };
}

/** Returns why an idle workload may not run the newest version; empty if it does. */
function describeLast({ polled, lastFailure, current, available, running, schedule }: WorkloadStatus): string {
  if (!polled) return "no poll has evaluated it yet";
  if (lastFailure !== null && lastFailure.version !== running) {
    const { version, status, reason } = lastFailure;
    return `${version} ${ends[status]}${reason === null ? "" : `: ${reason}`}`;
  }
  const isUnknown = current === null && available === null && schedule !== null;
  return isUnknown ? `not evaluated before its schedule "${schedule}" is due` : "";
}

const ends = {
  Healthy: "is healthy",
  RolledBack: "was rolled back",
  Withdrawn: "was withdrawn",
  HookFailed: "was not applied, because its hook failed",
  RollbackFailed: "could not be rolled back",
} as const satisfies Record<HistoryStatus, string>;

const phases = {
  HealthCheck: "Updating",
  Restart: "Updating",
  Release: "Updating",
  Canary: "Canary",
  Baking: "Baking",
  RollingBack: "RollingBack",
} as const satisfies Record<NonNullable<WorkloadStatus["inFlight"]>["phase"], WorkloadState>;

function describeFailures({ rollbacks, failedVersions }: WorkloadStatus): string {
  if (rollbacks === 0) return "";
  const failed = failedVersions.at(-1);
  return `${rollbacks === 1 ? "1 rollback" : `${rollbacks} rollbacks in a row`}${failed === undefined ? "" : `, the last of ${failed}`}`;
}
