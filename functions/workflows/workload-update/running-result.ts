import type { Ports } from "../../contract/ports.ts";
import type { TimedStepResult } from "../../contract/workload-update.ts";
import { hasBegun, startAnalysis } from "../../domain/analysis/measure.ts";
import { pauseAnalysis, resumeAnalysis } from "../../domain/analysis/pause.ts";
import type { AnalysisSpec } from "../../domain/analysis/spec.ts";
import type { AnalysisPause, AnalysisState } from "../../domain/analysis/state.ts";
import { needsContinuation } from "../../domain/execution/history-limit.ts";
import type { Change } from "../../domain/workload/update/change.ts";
import { withControl } from "../../domain/workload/update/readiness.ts";
import type { Workload } from "../../domain/workload/workload.ts";
import { firstCheckSeconds } from "./job-provider.ts";
import { keepClaim } from "./wait-result.ts";

type Output = TimedStepResult<"running" | "continue">;
type RunPorts = Pick<Ports, "cluster" | "now">;

interface Pause {
  readonly kind: AnalysisPause["reason"];
  readonly waitSeconds: number;
  readonly reason: string;
}

/** Records why nothing is measured, once. */
export async function pause(
  ports: RunPorts,
  workload: Workload,
  { kind, ...result }: Pause,
  executionStartedAt: string,
): Promise<Output> {
  const state = pauseAnalysis(workload.analysis, kind, result.reason, ports.now());
  return running(ports, workload, state === workload.analysis ? null : { analysis: state }, result, executionStartedAt);
}

export async function running(
  ports: RunPorts,
  workload: Workload,
  noted: Change | null,
  { waitSeconds, reason }: Omit<Pause, "kind">,
  executionStartedAt: string,
  roundSeconds?: number,
): Promise<Output> {
  await keepClaim(ports, workload, waitSeconds, noted);
  const isLong = needsContinuation(executionStartedAt, ports.now(), roundSeconds);
  return { kind: isLong ? "continue" : "running", waitSeconds, reason };
}

/** A Job that measures is checked more often than at its interval. */
export function shortestRound({ intervalSeconds, metrics }: AnalysisSpec): number {
  const hasJob = metrics.some(({ provider }) => provider.kind === "job");
  return hasJob ? Math.min(intervalSeconds, firstCheckSeconds) : intervalSeconds;
}

/** After its owner has paused it, nothing that was measured before counts. A run that was paused before it measured begins now. */
export function previousRun({ analysis }: Workload, now: Date): AnalysisState | null {
  if (analysis === null || analysis.pause?.reason === "Waiting") return null;
  if (analysis.pause === null || hasBegun(analysis)) return resumeAnalysis(analysis);
  return startAnalysis(now, analysis);
}

/** Returns the verdict on a canary whose metrics failed: its stable pods may fail too. */
export async function fail(
  { cluster }: RunPorts,
  workload: Workload,
  reason: string,
): Promise<TimedStepResult<"fail" | "unproven">> {
  const { control } = await cluster.countUnavailablePods(workload);
  return { waitSeconds: 0, ...withControl({ kind: "fail", reason }, control) };
}
