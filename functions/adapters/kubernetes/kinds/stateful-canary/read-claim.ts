import { annotations } from "../../../../domain/workload/policy/annotations.ts";
import type { CanaryProgress } from "../../../../domain/workload/canary/canary-step.ts";
import type { InFlight } from "../../../../domain/workload/update/in-flight.ts";
import type { AnalysisState } from "../../../../domain/analysis/state.ts";
import { parseRfc3339 } from "../../../../domain/text/rfc3339.ts";
import { readInFlight } from "../../annotation-codec.ts";
import { fromAnalysisStatus } from "../../auto-update/status/analysis-status.ts";
import { fromCanaryStatus } from "../../auto-update/status/canary-status.ts";
import { type HealthStatus, readHealth } from "../../auto-update/status/health-status.ts";
import { fromHookStatus } from "../../auto-update/status/hook-status.ts";
import type { HookStatus } from "../../auto-update/status/status-fields.ts";
import { readSuspect } from "../../auto-update/status/suspect-status.ts";
import { isBeingDeleted, type StatefulCanary } from "./object.ts";
import { type FoundSet, previousOf } from "./sets.ts";

/** Returns the update in flight: its claim is in annotations, what its steps have noted in the status. */
export function readClaim(object: StatefulCanary, stable: FoundSet): InFlight | null {
  const { hook, bakingSince, health, unavailableBefore } = object.status ?? {};
  const claim = withHook(readInFlight(object.metadata.annotations ?? {}, annotations), hook);
  const noted = withHealth(withBake(claim, bakingSince), health);
  const before = noted === null || unavailableBefore === undefined ? noted : { ...noted, unavailableBefore };
  return withSuspect(before, object, stable);
}

/** Returns an update in flight with the begin of its bake time, unless that is of an earlier update. */
function withBake(inFlight: InFlight | null, bakingSince: string | undefined): InFlight | null {
  const since = parseRfc3339(bakingSince ?? "");
  if (inFlight?.phase !== "rollout" || inFlight.startedAt === "malformed" || since === null) return inFlight;
  return since < inFlight.startedAt ? inFlight : { ...inFlight, observation: { kind: "baking", since } };
}

/** What remains from an earlier update is about pods that no longer exist. */
function withHealth(inFlight: InFlight | null, status: HealthStatus | undefined): InFlight | null {
  return inFlight === null ? null : { ...inFlight, ...readHealth(status) };
}

/** Returns a rollback with what its control has to show. Its set may not be restored yet. One that is deleted waits for no control. */
function withSuspect(inFlight: InFlight | null, object: StatefulCanary, stable: FoundSet): InFlight | null {
  const { suspect } = object.status ?? {};
  if (inFlight?.phase !== "rollback" || inFlight.release !== undefined) return inFlight;
  if (suspect === undefined || isBeingDeleted(object)) return inFlight;
  const { startedAt = "", ...found } = suspect;
  const isRestored = stable === null || stable === "not-owned" || previousOf(stable) === undefined;
  return {
    ...inFlight,
    startedAt: parseRfc3339(startedAt) ?? "malformed",
    ...readSuspect({ suspect: found }),
    ...(isRestored ? {} : { isApplied: false }),
  };
}

/** Returns a canary in flight with its hook, unless that is of an earlier update. */
function withHook(inFlight: InFlight | null, status: HookStatus | undefined): InFlight | null {
  const { hook } = fromHookStatus(status);
  if (inFlight?.phase !== "canary" || inFlight.startedAt === "malformed" || hook === undefined) return inFlight;
  return hook.startedAt < inFlight.startedAt ? inFlight : { ...inFlight, hook };
}

/** Returns the analysis of the canary; null for one of an earlier update, which is removed only after the claim is written. */
export function readAnalysis({ status }: StatefulCanary, inFlight: InFlight | null): AnalysisState | null {
  const analysis = fromAnalysisStatus(status?.analysis);
  if (analysis === null || inFlight?.phase !== "canary" || inFlight.startedAt === "malformed") return analysis;
  return analysis.startedAt < inFlight.startedAt ? null : analysis;
}

/** Returns how far the canary in flight has come; null for one of an earlier update, as above. */
export function readProgress({ status }: StatefulCanary, inFlight: InFlight | null): CanaryProgress | null {
  const progress = fromCanaryStatus(status?.canary);
  if (progress === null || inFlight?.phase !== "canary" || inFlight.startedAt === "malformed") return null;
  return progress.since < inFlight.startedAt ? null : progress;
}
