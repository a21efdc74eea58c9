import { withoutDigest } from "../../image/reference.ts";
import type { PersonRequest } from "./person-request.ts";
import { describeAnyTarget } from "../target/describe-target.ts";
import { isSameTarget, type Target } from "../target/target.ts";
import type { Workload } from "../workload.ts";
import { describeProblems } from "../policy/problem.ts";

/** In hexadecimal digits. */
const markLength = 32;

/** Returns the target of a restart that a person asks for. */
export function restartTarget(image: string, { token }: PersonRequest): Extract<Target, { readonly kind: "restart" }> {
  const digits = Array.from(token, (character) => character.charCodeAt(0).toString(16)).join("");
  const request = digits.slice(-markLength).padStart(markLength, "0");
  return { kind: "restart", image: withoutDigest(image), request };
}

/** Returns why a workload must not be restarted; null if it may. A circuit, a hold or a pause does not keep a person from it. */
export function restartRefusal(
  { image, inFlight, policy, problems, record, rollout }: Workload,
  argument: string | null,
): string | null {
  if (argument !== null) return `restart ${argument} is not a request; use restart, and a token`;
  if (record.state === "observed" && record.resourceVersion === null)
    return "Pawl does not restart a workload of this kind";
  if (rollout?.podsPer === "job") return "a CronJob has no pods to restart";
  if (policy.optIn === "no") return "auto-update is disabled; set pawl.dev/auto-update=true";
  if (problems.length > 0) return describeProblems(problems);
  if (inFlight !== null) return `${describeAnyTarget(inFlight.target)} is in flight; use pawl status to watch it`;
  if (image === null || rollout === null) return "its image is not known";
  return rollout.desiredReplicas === 0 ? "it is scaled to 0" : null;
}

/** Returns why a restart that a person asked for must not start any more; null if it may. */
export function requestedRestartFailure(workload: Workload, target: Target): string | null {
  if (!isRequested(workload, target)) return "nobody asks for this restart any more";
  return restartRefusal(workload, null);
}

/** Answers the request with the claim, so that one request is one restart. */
export function answerRestart(workload: Workload, target: Target, execution: string) {
  const { request } = workload;
  if (request === null || !isRequested(workload, target)) return {};
  const { token, verb } = request;
  return { answer: { token, verb, result: `restart is requested: execution ${execution}` } };
}

function isRequested({ request, image }: Workload, target: Target): boolean {
  return request?.verb === "restart" && image !== null && isSameTarget(restartTarget(image, request), target);
}
