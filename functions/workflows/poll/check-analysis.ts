import { strategyOf } from "../../domain/workload/canary/canary.ts";
import type { Decision } from "../../domain/workload/decision.ts";
import type { Workload } from "../../domain/workload/workload.ts";
import type { AnalysisPorts } from "../read-analysis.ts";

/** Replaces the start of an update whose analysis cannot work by its problem, so that nothing starts. */
export async function checkAnalysis(ports: AnalysisPorts, workload: Workload, decision: Decision): Promise<Decision> {
  const { policy } = workload;
  if (decision.kind !== "update" || policy.analysis === null) return decision;
  const hasCanary = !decision.restart && strategyOf(policy) === "canary";
  const subjects = [...(hasCanary ? ["canary" as const] : []), ...(policy.bake === null ? [] : ["rollout" as const])];
  for (const subject of subjects) {
    // Loaded only if an analysis is to run.
    const { analysisProblem } = await import("../read-analysis.ts");
    const problem = await analysisProblem(ports, workload, subject);
    if (problem !== null) return { kind: "problem", problems: [problem] };
  }
  return decision;
}
