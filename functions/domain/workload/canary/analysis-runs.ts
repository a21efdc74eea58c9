import type { RunTime } from "../../analysis/period.ts";
import type { Policy } from "../workload.ts";
import { stepsOf } from "./progress.ts";

/** What an analysis judges: a canary beside the stable pods, or all pods in the bake time of an update. */
export type AnalysisSubject = "canary" | "rollout";

/** An analysis that an update may need. */
export interface AnalysisRun {
  readonly subject: AnalysisSubject;
  readonly analysis: string;
  /** How long it measures, where that is not its own decision. */
  readonly times: readonly RunTime[];
}

/** Returns each analysis that the canary of a policy may need. */
export function canaryRuns(policy: Policy): readonly AnalysisRun[] {
  const steps = stepsOf(policy);
  const runs = new Map<string, RunTime[]>();
  const add = (analysis: string | null, times: readonly RunTime[]) => {
    if (analysis !== null) runs.set(analysis, [...(runs.get(analysis) ?? []), ...times]);
  };
  if (steps.length > 0) add(policy.analysis, []);
  for (const [index, step] of steps.entries()) {
    const seconds = step.kind === "pause" ? step.seconds : step.durationSeconds;
    const what = step.kind === "pause" ? `the pause at step ${index + 1}` : `the duration of step ${index + 1}`;
    add(analysisAt(policy, index + 1), seconds === null ? [] : [{ what, seconds }]);
  }
  return [...runs].map(([analysis, times]) => ({ subject: "canary", analysis, times }));
}

/** Reports whether a canary has a baseline of its own age: only an analysis compares anything. */
export function hasBaseline(policy: Policy): boolean {
  return policy.baseline === "sameAge" && canaryRuns(policy).length > 0;
}

/** Returns the analysis of the bake time; none without one. */
export function bakeRuns({ analysis, bake }: Policy): readonly AnalysisRun[] {
  if (analysis === null || bake === null) return [];
  const times = bake.seconds === null ? [] : [{ what: "the bake time", seconds: bake.seconds }];
  return [{ subject: "rollout", analysis, times }];
}

/** Returns what is measured at a step (from 1). The analysis of the policy is that of each step with a size, unless it names its own. A pause has that of the step before it. */
export function analysisAt(policy: Policy, step: number): string | null {
  const current = stepsOf(policy)
    .slice(0, step)
    .findLast((one) => one.kind === "replicas");
  return current?.analysis ?? (current?.size === null ? null : policy.analysis);
}
