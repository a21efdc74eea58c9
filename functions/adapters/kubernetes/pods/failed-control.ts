import { type Cause, findCause } from "../../../domain/health/cause.ts";
import { isAsWritten } from "../../../domain/image/reference.ts";
import { secondsBetween } from "../../../domain/text/rfc3339.ts";
import type { Workload } from "../../../domain/workload/workload.ts";
import { isExcused } from "./excused-pods.ts";
import { hasFailedSince, type Pod, podFacts, readySince } from "./pod.ts";

type Update = Pick<Workload, "inFlight" | "policy">;

/**
 * Returns why a pod of the version that an update is compared with has failed by itself since the update began; null if it has not: nobody
 * deletes it, and its node answers.
 */
export function controlFailure(pod: Pod, { inFlight, policy }: Update, now: Date): Cause | null {
  const startedAt = inFlight?.startedAt ?? "malformed";
  // A pod of the update that was superseded is no pod of the version that was healthy.
  const replaced = inFlight?.replacedImage;
  if (replaced !== undefined && pod.spec.containers.some(({ image = "" }) => isAsWritten(image, replaced))) return null;
  if (startedAt === "malformed" || pod.metadata.deletionTimestamp !== undefined || isExcused(pod, now)) return null;
  if (!hasFailedSince(pod, startedAt)) return lateStart(pod, startedAt, policy.healthTimeoutSeconds);
  const cause = findCause(podFacts(pod));
  return cause.blames === "version" ? cause : null;
}

/**
 * Returns that a pod took longer to become ready than the target was given. Nobody may have seen that: the step that waited for it was
 * killed, and the dependency that both versions need is back.
 */
function lateStart(pod: Pod, startedAt: Date, timeoutSeconds: number): Cause | null {
  const created = new Date(pod.metadata.creationTimestamp ?? 0);
  const ready = readySince(pod);
  if (ready === null || created < startedAt) return null;
  const seconds = secondsBetween(created, ready);
  if (seconds <= timeoutSeconds) return null;
  const message = `ready only after ${Math.round(seconds)} s`;
  return { blames: "version", reason: "ReadyLate", container: null, exitCode: null, message, restarts: 0 };
}
