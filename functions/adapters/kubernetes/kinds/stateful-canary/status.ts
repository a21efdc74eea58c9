import { truncate } from "../../../../domain/text/summarize-list.ts";
import { isDeepStrictEqual } from "node:util";
import { formatRfc3339 } from "../../../../domain/text/rfc3339.ts";
import type { Change } from "../../../../domain/workload/update/change.ts";
import type { CanaryProgress } from "../../../../domain/workload/canary/canary-step.ts";
import { describeStep } from "../../../../domain/workload/canary/progress.ts";
import type { InFlight } from "../../../../domain/workload/update/in-flight.ts";
import { describeHookEnd } from "../../../../domain/workload/hook/assess-hook.ts";
import { describeRun } from "../../../../domain/analysis/assess.ts";
import type { AnalysisState } from "../../../../domain/analysis/state.ts";
import type { KubernetesApi } from "../../api.ts";
import { setConditions } from "../../conditions.ts";
import { toAnalysisStatus } from "../../auto-update/status/analysis-status.ts";
import { toHealthStatus } from "../../auto-update/status/health-status.ts";
import { toHookStatus } from "../../auto-update/status/hook-status.ts";
import { toStored } from "../../auto-update/status/stored.ts";
import { crdOutdated, isIndispensable, prunedFields } from "../../pruned-fields.ts";
import { toCanaryStatus } from "../../auto-update/status/canary-status.ts";
import { toBackOffStatus } from "../../auto-update/status/back-off-status.ts";
import { autoUpdateStatusPatch } from "../claw/claw-status.ts";
import { answerConditions } from "../record/handled-request.ts";
import { reportConditions } from "../record/last-reported.ts";
import type { Canary } from "../canary/canary-strategy.ts";
import type { SetCounts } from "./sets.ts";
import { resource, type StatefulCanary, type StatefulCanaryStatus } from "./object.ts";

/** In characters, as for Events: the cause of an error may be a stack trace. */
const maxMessageLength = 1024;

export const reportTypes = { held: "AutoUpdateHeld", valid: "Valid", isValidShown: true } as const;

export type CanaryProgressStatus = Omit<
  StatefulCanaryStatus,
  | "lastTransitionTime"
  | "conditions"
  | "autoUpdate"
  | "analysis"
  | "canary"
  | "bakingSince"
  | "health"
  | "hook"
  | "suspect"
  | "unavailableBefore"
  | "backOff"
>;

/** Writes progress and the status fields of the change; nothing if both are empty. */
export async function writeCanaryStatus(
  object: StatefulCanary,
  progress: CanaryProgressStatus,
  change: Change,
  api: KubernetesApi,
  now: Date,
): Promise<StatefulCanary> {
  const { metadata, status: before = {} } = object;
  const reported = reportConditions(reportTypes, change, before.conditions);
  const conditions = [...(change.conditions ?? []), ...reported, ...answerConditions(change, before.conditions)];
  const { analysis, backOff } = change;
  const status = {
    ...progress,
    ...(progress.currentPhase === undefined || progress.currentPhase === before.currentPhase
      ? {}
      : { lastTransitionTime: formatRfc3339(now) }),
    ...(conditions.length === 0
      ? {}
      : { conditions: setConditions(before.conditions ?? [], conditions, metadata.generation ?? 1, now) }),
    ...(change.updateRecord === undefined ? {} : { autoUpdate: autoUpdateStatusPatch(change.updateRecord) }),
    ...(analysis === undefined ? {} : { analysis: analysis && { pause: null, ...toAnalysisStatus(analysis) } }),
    ...canaryField(before, change),
    ...bakeField(before, change),
    ...healthField(before, change),
    ...hookField(before, change),
    ...suspectField(before, change),
    ...unavailableField(before, change),
    ...(backOff === undefined ? {} : { backOff: backOff && toBackOffStatus(backOff) }),
  };
  if (Object.keys(status).length === 0) return object;
  const body = { metadata: { resourceVersion: metadata.resourceVersion }, status };
  const written = await api.patch<StatefulCanary>(resource, metadata, "application/merge-patch+json", body, "status");
  const pruned = prunedFields(status, written.status);
  const isIdle = before.currentPhase === undefined || idlePhases.has(before.currentPhase);
  if (pruned.some(isIndispensable) || (pruned.length > 0 && isIdle)) throw crdOutdated(resource, pruned);
  return written;
}

/** No canary is in progress that could be judged. */
const idlePhases: ReadonlySet<string> = new Set(["Initializing", "Succeeded", "Failed"]);

/** Its steps end with the canary. A pause that is over has no end any more. */
function canaryField({ canary }: StatefulCanaryStatus, { canaryProgress, inFlight }: Change) {
  const isOver = inFlight !== undefined && inFlight?.phase !== "canary";
  if (isOver) return canary === undefined ? {} : { canary: null };
  return canaryProgress ? { canary: { until: null, ...toCanaryStatus(canaryProgress) } } : {};
}

function bakeField({ bakingSince }: StatefulCanaryStatus, { observation, inFlight }: Change) {
  if (observation?.kind === "baking") return { bakingSince: formatRfc3339(observation.since) };
  const isOver = inFlight !== undefined && inFlight?.phase !== "rollout";
  return isOver && bakingSince !== undefined ? { bakingSince: null } : {};
}

function healthField({ health: before }: StatefulCanaryStatus, { health, inFlight }: Change) {
  if (inFlight === null) return before === undefined ? {} : { health: null };
  return health === undefined ? {} : { health: { pods: [], ...toHealthStatus(health) } };
}

function unavailableField({ unavailableBefore: before }: StatefulCanaryStatus, { inFlight }: Change) {
  if (inFlight === undefined) return {};
  const unavailableBefore = inFlight?.unavailableBefore ?? null;
  return unavailableBefore === (before ?? null) ? {} : { unavailableBefore };
}

function suspectField({ suspect: before }: StatefulCanaryStatus, { inFlight }: Change) {
  if (inFlight === undefined) return {};
  if (inFlight?.suspect === undefined) return before === undefined ? {} : { suspect: null };
  const startedAt = inFlight.startedAt === "malformed" ? null : formatRfc3339(inFlight.startedAt);
  return { suspect: { readySince: null, wasReady: null, ...toStored(inFlight.suspect), startedAt } };
}

/** It stays after the update, until the next one begins. */
function hookField({ hook: before }: StatefulCanaryStatus, { inFlight }: Change) {
  if (inFlight?.phase !== "canary") return {};
  if (inFlight.hook === undefined) return before === undefined ? {} : { hook: null };
  const hook = toHookStatus(inFlight.hook);
  return isDeepStrictEqual(hook, before) ? {} : { hook: { jobUID: null, result: null, reason: null, ...hook } };
}

/** Writes the hook of a canary that passed, and names it. Writes nothing without one. */
export async function writeHook(object: StatefulCanary, inFlight: InFlight, api: KubernetesApi, now: Date) {
  if (inFlight.hook === undefined) return;
  const { stage, job, result, reason = "" } = inFlight.hook;
  const message =
    result === null ? `waits for the ${stage} hook ${job}` : describeHookEnd(inFlight.hook, result, reason);
  await writeCanaryStatus(object, { message }, { inFlight }, api, now);
}

export function initializingStatus(
  { metadata: { generation = 1 } }: StatefulCanary,
  image: string,
): CanaryProgressStatus {
  const message = `creating the StatefulSets for ${image}`;
  return { currentPhase: "Initializing", image, observedGeneration: generation, analysisRetries: 0, message };
}

/** `progress` is that of a step after the first. */
export function progressingStatus(
  { image }: Canary,
  counts: SetCounts,
  progress: CanaryProgress | null = null,
): CanaryProgressStatus {
  const step = progress === null ? "" : `step ${describeStep(progress)}: `;
  const message =
    describePause(progress) ??
    `${step}waiting for ${counts.canaryReplicas} canary replicas of ${image} to become ready`;
  return { currentPhase: "Progressing", ...counts, message };
}

function describePause(progress: CanaryProgress | null): string | null {
  if (progress === null || progress.until === null) return null;
  const end = `${formatRfc3339(progress.until)}${progress.waitsFor === "Time" ? "" : ", or until pawl promote"}`;
  return `step ${describeStep(progress)}: paused until ${end}`;
}

/** Shows a pause, also while it is measured: its end may have been changed. */
export function pausedStatus(pause: CanaryProgress, analysis: AnalysisState | null): CanaryProgressStatus {
  const message = describePause(pause);
  const retries = analysis === null ? {} : { analysisRetries: countFailures(analysis) };
  return { currentPhase: "Progressing", ...retries, ...(message === null ? {} : { message }) };
}

/** Shows the last measurement with its value, so that an operator sees how close to the limit it is. */
export function analyzingStatus(analysis: AnalysisState): CanaryProgressStatus {
  const message = describeRun(analysis) ?? "measuring the canary";
  return { currentPhase: "Analyzing", analysisRetries: countFailures(analysis), message };
}

function countFailures({ counts }: AnalysisState): number {
  return [...counts.values()].reduce((sum, { failures }) => sum + failures, 0);
}

/** Shows the last measurement after all replicas were ready. */
export function bakingStatus(analysis: AnalysisState | null): CanaryProgressStatus {
  const run = analysis === null ? null : describeRun(analysis);
  return { message: `all replicas are ready, and watched for the bake time${run === null ? "" : `: ${run}`}` };
}

/** `isBegun`: a canary ran first, so the status has the generation already. */
export function promotingStatus(object: StatefulCanary, image: string, isBegun: boolean): CanaryProgressStatus {
  const { totalReplicas } = object.spec;
  const message = `updating all ${totalReplicas} replicas to ${image}`;
  const observed = isBegun ? {} : { observedGeneration: object.metadata.generation ?? 1, analysisRetries: 0 };
  return { currentPhase: "Promoting", image, ...observed, stableReplicas: totalReplicas, message };
}

export function succeededStatus({ spec }: StatefulCanary, { target }: InFlight): CanaryProgressStatus {
  const message = `all ${spec.totalReplicas} replicas run ${target.image}`;
  return { currentPhase: "Succeeded", canaryReplicas: 0, message };
}

/**
 * Returns how an update was reverted. A failed one counts as tried; one that backs off is tried again. A rollback that is adopted
 * from another execution keeps what that one wrote.
 */
export function revertedStatus(
  { metadata, spec, status = {} }: StatefulCanary,
  image: string,
  { conditions, updateRecord, backOff, inFlight }: Change,
): CanaryProgressStatus {
  const stableReplicas = spec.totalReplicas;
  const [condition] = conditions ?? [];
  if (condition === undefined) return { stableReplicas };
  const message = truncate(condition.message, maxMessageLength);
  // The restored version has to show whether it has failed.
  if (inFlight?.suspect !== undefined) return { stableReplicas, message };
  const isWithdrawn = updateRecord?.versionHistory?.at(-1)?.status === "Withdrawn";
  if (isWithdrawn || backOff) return { currentPhase: "Initializing", stableReplicas, message };
  const isBegun = status.image === image && status.currentPhase !== "Succeeded" && status.currentPhase !== "Failed";
  const about = isBegun ? {} : { image, observedGeneration: metadata.generation ?? 1 };
  return { currentPhase: "Failed", stableReplicas, message, ...about };
}

/** Another image is requested: the next update starts with the current sets. */
export function supersededStatus({ lastReported }: Change): CanaryProgressStatus {
  return { currentPhase: "Initializing", message: lastReported?.held ?? "stopped manually" };
}

export function invalidStatus({ status }: StatefulCanary, problem: string): CanaryProgressStatus {
  return { currentPhase: status?.currentPhase ?? "Initializing", message: problem };
}
