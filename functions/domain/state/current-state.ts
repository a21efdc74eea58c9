import { describeProblems } from "../workload/policy/problem.ts";
import { hasOwnClaim } from "../workload/record/current-version.ts";
import { describeRequest } from "../workload/request/person-request.ts";
import type { Workload } from "../workload/workload.ts";
import { impliedState, notPolled, recordedState } from "./recorded-state.ts";
import { createState, type WorkloadState } from "./state.ts";

/** Returns the state of a workload as it is read, also of what no poll has seen yet: a request, a problem, a pause. */
export function currentState(workload: Workload, now: Date): WorkloadState {
  const { problems, lastReported } = workload;
  const problem = problems.length > 0 ? describeProblems(problems) : lastReported.problem;
  return recordedState(
    { ...withEvaluation(workload), lastReported: { ...lastReported, problem } },
    now,
    unseen(workload),
  );
}

/** A kind with a record of its own has no place for an evaluation. */
export function withEvaluation(workload: Workload): Workload {
  return hasOwnClaim(workload.record) ? { ...workload, evaluated: impliedState(workload) } : workload;
}

function unseen({ request, policy, record, evaluated }: Workload): WorkloadState | null {
  if (request !== null)
    return createState(["Waiting", "Requested"], `requested, and not handled yet: ${describeRequest(request)}`);
  if (policy.optIn === "no") return createState(["NotEvaluated", "OptedOut"], "auto-update is disabled");
  if (policy.paused) return createState(["Held", "Suspended"], "pawl.dev/paused is set");
  const isOver = evaluated?.reason === "Suspended" || evaluated?.reason === "OptedOut";
  return record.state === "missing" || isOver ? notPolled : null;
}
