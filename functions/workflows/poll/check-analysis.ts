import { strategyOf } from "../../domain/workload/canary/canary.ts";
import type { Decision } from "../../domain/workload/decision.ts";
import type { Workload } from "../../domain/workload/workload.ts";
import type { AnalysisPorts } from "../read-analysis.ts";

/** Replaces the start of a canary whose analysis cannot work by its problem, so that nothing starts. */
export async function checkAnalysis(ports: AnalysisPorts, workload: Workload, decision: Decision): Promise<Decision> {
  const { policy } = workload;
  if (decision.kind !== "update" || decision.restart || policy.analysis === null) return decision;
  if (strategyOf(policy) !== "canary") return decision;
  // Loaded only if a canary is to start.
  const { analysisProblem } = await import("../read-analysis.ts");
  const problem = await analysisProblem(ports, workload);
  return problem === null ? decision : { kind: "problem", problems: [problem] };
}
