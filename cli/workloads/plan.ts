import { decidedState } from "../../functions/domain/state/decided-state.ts";
import { createState, type WorkloadState } from "../../functions/domain/state/state.ts";
import type { Decision } from "../../functions/domain/workload/decision/decision.ts";
import { formatRfc3339 } from "../../functions/domain/text/rfc3339.ts";
import { isRestart, type RestartTarget, versionOfTarget } from "../../functions/domain/workload/target/target.ts";
import type { InFlight } from "../../functions/domain/workload/update/in-flight.ts";
import type { Workload } from "../../functions/domain/workload/workload.ts";
import type { WorkloadResult } from "../../functions/workflows/poll/process-workload.ts";
import { formatWorkloadName } from "./name.ts";
import { runningVersion, versionBefore } from "./versions.ts";
import { describeProblems } from "../../functions/domain/workload/policy/problem.ts";

/** One line of a plan, as `--json` prints it. */
export interface PlannedWorkload extends WorkloadState {
  readonly workload: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly current: string | null;
  readonly candidate: string | null;
}

export function planWorkload(result: WorkloadResult, now: Date): PlannedWorkload {
  const { workload } = result;
  const { kind, namespace, name } = workload.ref;
  return {
    workload: formatWorkloadName(workload.ref),
    kind,
    namespace,
    name,
    current: workload.inFlight === null ? runningVersion(workload) : versionBefore(workload, workload.inFlight),
    ...("error" in result
      ? { candidate: null, ...createState(["NotEvaluated", "EvaluationFailed"], result.error.message) }
      : describeDecision(result.decision, workload, now)),
  };
}

type Outcome = Pick<PlannedWorkload, "candidate" | keyof WorkloadState>;

function describeDecision(decision: Decision, workload: Workload, now: Date): Outcome {
  const state = decidedState(workload, decision, now);
  if (decision.kind === "adopt") return { ...state, ...describeInFlight(decision.inFlight, state) };
  // A misspelt setting that would enable it: the workload is listed because of its problems.
  if (decision.kind === "hold" && decision.reason === "disabled" && workload.problems.length > 0)
    return {
      candidate: null,
      ...createState(["Stalled", "InvalidConfiguration"], describeProblems(workload.problems)),
    };
  if (decision.kind === "hold") return { candidate: decision.target && versionOfTarget(decision.target), ...state };
  if (decision.kind !== "update") return { candidate: null, ...state };
  const { target } = decision;
  const why = isRestart(target)
    ? restartReason(workload, target)
    : decision.isRequested
      ? "requested by a person"
      : updateReason(workload);
  return { candidate: versionOfTarget(target), ...state, message: `${state.message}: ${why}` };
}

function updateReason({ policy }: Workload): string {
  return `the newest version${policy.versionConstraint === null ? "" : ` that satisfies ${policy.versionConstraint}`}`;
}

function restartReason({ digests }: Workload, { kind }: RestartTarget): string {
  if (kind === "config") return "the configuration has changed";
  if (kind === "restart") return "requested by a person";
  const isKnown = Object.keys(digests?.deployed ?? {}).length > 0;
  return isKnown ? "the tag resolves to another digest" : "it is now tracked by digest";
}

function describeInFlight({ target, startedAt, execution }: InFlight, { message }: WorkloadState) {
  const since = startedAt === "malformed" ? "at an invalid time" : formatRfc3339(startedAt);
  const by = execution === null ? "manually" : `by execution ${execution}`;
  return { candidate: versionOfTarget(target) || target.image, message: `${message}; started ${since} ${by}` };
}
