import type { Ports } from "../../contract/ports.ts";
import { startAnalysis } from "../../domain/analysis/measure.ts";
import type { AnalysisSpec } from "../../domain/analysis/spec.ts";
import type { AnalysisState } from "../../domain/analysis/state.ts";
import type { HeldClaim } from "../../domain/workload/update/claim.ts";
import { type AnalysisResult, measureMetrics } from "../measure-metrics.ts";
import { openJobProvider } from "./job-provider.ts";

/**
 * Takes the measurements that are due, for the claim of an update, and assesses all of them. `previous` is the run so far: one
 * whose start is not recorded creates no Job, because a step that is interrupted would create it again.
 */
export async function runAnalysis(
  ports: Pick<Ports, "cluster" | "metricProvider" | "now">,
  claim: HeldClaim,
  spec: AnalysisSpec,
  previous: AnalysisState | null,
  isEnding = false,
): Promise<AnalysisResult> {
  const measured = previous ?? startAnalysis(ports.now());
  const isRecorded = claim.workload.analysis?.startedAt.getTime() === measured.startedAt.getTime();
  return measureMetrics(ports, spec, measured, { isRecorded, isEnding }, (name, provider) =>
    openJobProvider(ports, claim, { name, provider }, measured),
  );
}
