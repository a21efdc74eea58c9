import { withoutDigest } from "../image/reference.ts";
import { isConfigTarget } from "./config/tracking.ts";
import type { PersonRequest } from "./person-request.ts";
import type { Workload } from "./workload.ts";

/** A digest has at least 32 hexadecimal digits. */
const markLength = 32;

/** Returns the target of a restart that a person asks for: the image that runs, marked with the request (`web:1.2.0@restart:…`). */
export function restartTarget(image: string, { token }: PersonRequest): string {
  const digits = Array.from(token, (character) => character.charCodeAt(0).toString(16)).join("");
  return `${withoutDigest(image)}@restart:${digits.slice(-markLength).padStart(markLength, "0")}`;
}

/** Reports whether the target is a restart that a person asked for. */
export function isRequestedRestart(image: string): boolean {
  return image.includes("@restart:");
}

/** Reports whether the target is a restart of the image that runs, for its configuration or for a person: no digest changes. */
export function keepsImages(image: string): boolean {
  return isConfigTarget(image) || isRequestedRestart(image);
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
  if (!policy.enabled) return "auto-update is disabled";
  if (problems.length > 0) return problems.join("; ");
  if (inFlight !== null) return `an update to ${inFlight.targetImage} is in flight`;
  if (image === null || rollout === null) return "its image is not known";
  return rollout.desiredReplicas === 0 ? "it is scaled to 0" : null;
}

/** Returns why a restart that a person asked for must not start any more; null if it may, undefined if the target is none. */
export function requestedRestartFailure(workload: Workload, image: string): string | null | undefined {
  if (!isRequestedRestart(image)) return undefined;
  if (!isRequested(workload, image)) return "nobody asks for this restart any more";
  return restartRefusal(workload, null);
}

/** Answers the request with the claim, so that one request is one restart. */
export function answerRestart(workload: Workload, target: string, execution: string) {
  const { request } = workload;
  if (request === null || !isRequested(workload, target)) return {};
  const { token, verb } = request;
  return { answer: { token, verb, result: `restarted by execution ${execution}` } };
}

function isRequested({ request, image }: Workload, target: string): boolean {
  return request?.verb === "restart" && image !== null && restartTarget(image, request) === target;
}
