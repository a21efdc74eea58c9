import type { Decision, HoldReason } from "../../functions/domain/workload/decision/decision.ts";
import { describeRequest } from "../../functions/domain/workload/request/person-request.ts";
import { formatRfc3339 } from "../../functions/domain/text/rfc3339.ts";
import { isRestart, type RestartTarget, versionOfTarget } from "../../functions/domain/workload/target/target.ts";
import type { InFlight, Workload } from "../../functions/domain/workload/workload.ts";
import type { WorkloadResult } from "../../functions/workflows/poll/process-workload.ts";
import { formatWorkloadName } from "./name.ts";
import { runningVersion, versionBefore } from "./versions.ts";
import { describeProblems } from "../../functions/domain/workload/policy/problem.ts";

/** One line of a plan, as `--json` prints it. */
export interface PlannedWorkload {
  readonly workload: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly current: string | null;
  readonly candidate: string | null;
  readonly decision: "update" | "restart" | "request" | "hold" | "in-flight" | "problem" | "error";
  /** A sentence for people. */
  readonly reason: string;
  /** A machine-readable reason; null if it is not held. */
  readonly hold: HoldReason | null;
}

export function planWorkload(result: WorkloadResult): PlannedWorkload {
  const { workload } = result;
  const { kind, namespace, name } = workload.ref;
  return {
    workload: formatWorkloadName(workload.ref),
    kind,
    namespace,
    name,
    current: workload.inFlight === null ? runningVersion(workload) : versionBefore(workload, workload.inFlight),
    ...("error" in result ? failed("error", result.error.message) : describeDecision(result.decision, workload)),
  };
}

type Outcome = Pick<PlannedWorkload, "candidate" | "decision" | "reason" | "hold">;

function describeDecision(decision: Decision, workload: Workload): Outcome {
  if (decision.kind === "adopt") return { ...describeInFlight(decision.inFlight), decision: "in-flight", hold: null };
  // A misspelt setting that would enable it: the workload is listed because of its problems.
  if (decision.kind === "hold" && decision.reason === "disabled" && workload.problems.length > 0)
    return failed("problem", describeProblems(workload.problems));
  if (decision.kind === "hold") {
    const candidate = decision.target && versionOfTarget(decision.target);
    return { candidate, decision: "hold", reason: decision.detail, hold: decision.reason };
  }
  if (decision.kind === "request") {
    return { candidate: null, decision: "request", reason: `requested: ${describeRequest(decision)}`, hold: null };
  }
  if (decision.kind === "problem") return failed("problem", describeProblems(decision.problems));
  const { target } = decision;
  const candidate = versionOfTarget(target);
  if (isRestart(target)) return { candidate, decision: "restart", reason: restartReason(workload, target), hold: null };
  const reason = decision.isRequested ? "requested by a person" : updateReason(workload);
  return { candidate, decision: "update", reason, hold: null };
}

function failed(decision: "problem" | "error", reason: string): Outcome {
  return { candidate: null, decision, reason, hold: null };
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

function describeInFlight({ target, startedAt, execution }: InFlight): Pick<Outcome, "candidate" | "reason"> {
  const since = startedAt === "malformed" ? "at an invalid time" : formatRfc3339(startedAt);
  const by = execution === null ? "manually" : `by execution ${execution}`;
  return { candidate: versionOfTarget(target) || target.image, reason: `started ${since} ${by}` };
}
