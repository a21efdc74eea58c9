import type { Ports } from "../../contract/ports.ts";
import type { TimedStepResult } from "../../contract/workload-update.ts";
import { withoutComparisons, withoutEnd } from "../../domain/analysis/bake-run.ts";
import { resumeAnalysis } from "../../domain/analysis/pause.ts";
import type { AnalysisState } from "../../domain/analysis/state.ts";
import type { Stage } from "../../domain/workload/canary/stage.ts";
import type { Change } from "../../domain/workload/update/change.ts";
import type { HeldClaim } from "../../domain/workload/update/claim.ts";
import { planParking } from "../../domain/workload/update/park.ts";
import { readAnalysis } from "../read-analysis.ts";
import { parkResult } from "./park-result.ts";
import { runAnalysis } from "./run-analysis.ts";
import { fail, previousRun, running, shortestRound } from "./running-result.ts";
import { keepClaim } from "./wait-result.ts";

type Output = TimedStepResult<"running" | "parked" | "fail" | "unproven" | "continue">;
type AnalysisPorts = Pick<Ports, "cluster" | "metricProvider" | "now">;

/**
 * Measures the analysis of the step before a pause. Only a failure ends it: what is unknown or invalid decides nothing. Without one it
 * sleeps after an hour, if it waits for a person. Records the end of a pause whose length its owner has changed.
 */
export async function measurePause(
  ports: AnalysisPorts,
  claim: HeldClaim,
  stage: Extract<Stage, { readonly kind: "paused" }>,
  executionStartedAt: string,
  isGrowing = false,
): Promise<Output> {
  const { workload, inFlight } = claim;
  const read = await readAnalysis(ports, workload, "canary", stage.analysis);
  // Pods that have just started are not comparable.
  const spec = isGrowing && read?.kind === "analysis" ? withoutComparisons(read) : read;
  const note = (analysis: AnalysisState | null): Change | null => {
    const change = {
      ...(analysis === workload.analysis ? {} : { analysis }),
      ...(stage.edited === null ? {} : { canaryProgress: stage.edited }),
    };
    return Object.keys(change).length === 0 ? null : change;
  };
  if (spec === null || spec.kind === "invalid") {
    const noted = note(workload.analysis && resumeAnalysis(workload.analysis));
    const since = workload.canaryProgress?.since ?? ports.now();
    const parking = planParking(workload, inFlight, since, ports.now());
    return parking === null
      ? running(ports, workload, noted, stage, executionStartedAt)
      : parkResult(ports, workload, { ...parking, reason: stage.reason }, executionStartedAt, noted);
  }
  const { state, assessment } = await runAnalysis(ports, claim, withoutEnd(spec), previousRun(workload, ports.now()));
  const noted = note(state);
  if (assessment.kind !== "running") {
    await keepClaim(ports, workload, 0, noted);
    return fail(ports, workload, assessment.reason);
  }
  const waitSeconds = Math.min(stage.waitSeconds, assessment.waitSeconds);
  return running(ports, workload, noted, { ...stage, waitSeconds }, executionStartedAt, shortestRound(spec));
}
