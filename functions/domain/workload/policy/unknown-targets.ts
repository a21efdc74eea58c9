import { truncate } from "../../text/summarize-list.ts";
import { suggest } from "../../text/suggest.ts";
import { annotations } from "./annotations.ts";
import type { Decision, HoldReason } from "../decision/decision.ts";
import type { Workload } from "../workload.ts";
import { fieldProblem, type Problem } from "./problem.ts";

/** Hold reasons of a workload that has opted out, or that an execution cleans up first. */
const unchecked: ReadonlySet<HoldReason> = new Set(["disabled", "being-deleted", "canary-left"]);

/**
 * Adds a problem for each target of notifications that a workload names and its deployment, which has `targets`, does not have. It delays
 * nothing: no update waits for a notification.
 */
export function reportUnknownTargets(workload: Workload, decision: Decision, targets: readonly string[]): Decision {
  const problems = workload.policy.notify
    .filter((name) => !targets.includes(name))
    .map((name) => toProblem(name, targets));
  if (problems.length === 0) return decision;
  if (decision.kind === "problem") return { ...decision, problems: [...decision.problems, ...problems] };
  const isReported = decision.kind === "hold" && workload.inFlight === null && !unchecked.has(decision.reason);
  return isReported ? { kind: "problem", problems, held: decision } : decision;
}

function toProblem(name: string, targets: readonly string[]): Problem {
  const meant = suggest(name, targets);
  const fix = meant === null ? "remove the name, or add the target to the configuration" : `did you mean ${meant}?`;
  const reason = `is no target of notifications in this deployment; ${fix}`;
  return fieldProblem(annotations.notify, "NotFound", reason, truncate(name, 64));
}
