import { bakeRuns, canaryRuns } from "../../../domain/workload/canary/analysis-runs.ts";
import type { Decision } from "../../../domain/workload/decision/decision.ts";
import { isRestart } from "../../../domain/workload/target/target.ts";
import type { Workload } from "../../../domain/workload/workload.ts";
import type { AnalysisPorts } from "../../read-analysis.ts";

/** Replaces the start of an update whose analysis cannot work by its problem, so that nothing starts. */
export async function checkAnalysis(ports: AnalysisPorts, workload: Workload, decision: Decision): Promise<Decision> {
  const { policy } = workload;
  if (decision.kind !== "update") return decision;
  for (const run of [...(isRestart(decision.target) ? [] : canaryRuns(policy)), ...bakeRuns(policy)]) {
    // Loaded only if an analysis is to run.
    const { analysisProblem } = await import("../../read-analysis.ts");
    const problem = await analysisProblem(ports, workload, run);
    if (problem !== null) return { kind: "problem", problems: [{ field: null, code: "InvalidValue", text: problem }] };
  }
  return decision;
}
