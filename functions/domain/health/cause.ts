import type { ContainerFacts, PodFacts, TerminatedFacts } from "./pod-facts.ts";

/** Why a pod is not ready. "version": its image or its pod template. "excused": something else, or nothing that is known. */
export interface Cause {
  readonly blames: "version" | "excused";
  /** A term of Kubernetes: `CrashLoopBackOff`, `ImagePullBackOff`, `Evicted`. */
  readonly reason: string;
  /** The container; null if the pod as a whole is meant. */
  readonly container: string | null;
  readonly exitCode: number | null;
  /** Foreign text of any length; `withEvidence` redacts and truncates it. */
  readonly message: string;
  readonly restarts: number;
}

/** Reasons of a container that waits, which its image or its template causes. */
const versionWaits: ReadonlySet<string> = new Set([
  "CrashLoopBackOff",
  "RunContainerError",
  "InvalidImageName",
  "PostStartHookError",
]);

/** The kubelet refuses to start an image that would run as root: the image, or the template, is the cause. */
const runsAsRoot = /runAsNonRoot|breaks non-root policy/;

/** The kubelet, or containerd, writes these of a container of which it knows nothing after a restart of its node. */
const unknownEnds: ReadonlySet<string> = new Set(["ContainerStatusUnknown", "Unknown"]);

/**
 * The only eviction that a pod causes itself: it exceeds a limit in its own template.
 * https://kubernetes.io/docs/concepts/storage/ephemeral-storage/#ephemeral-storage-consumption-management
 */
const exceedsOwnLimit =
  /exceeded its local ephemeral storage limit|usage exceeds the total limit of containers|exceeds the limit "/;

/**
 * Returns why a pod is not ready, or has restarted. What happened to the pod as a whole comes first, then what happened to a container. A
 * cause that is not known is excused, and named.
 */
export function findCause(pod: PodFacts): Cause {
  return disruption(pod) ?? containerCause(pod) ?? probeFailure(pod) ?? unknownCause(pod);
}

/** The pod was evicted, preempted or lost with its node, or no node takes it. */
function disruption({ phase, reason, message, conditions }: PodFacts): Cause | null {
  if (reason === "Evicted" && exceedsOwnLimit.test(message ?? "")) return podCause("version", reason, message);
  const target = conditions.find(({ type, status }) => type === "DisruptionTarget" && status === "True");
  if (target !== undefined) return podCause("excused", target.reason ?? "DisruptionTarget", target.message);
  if (phase === "Failed" && reason !== undefined) return podCause("excused", reason, message);
  const scheduled = conditions.find(({ type }) => type === "PodScheduled");
  return scheduled?.status === "False"
    ? podCause("excused", scheduled.reason ?? "Unschedulable", scheduled.message)
    : null;
}

/** The first container whose state blames the version, or else the first that waits. */
function containerCause({ containers }: PodFacts): Cause | null {
  const causes = containers.map(causeOf).filter((one) => one !== null);
  return causes.find(({ blames }) => blames === "version") ?? causes[0] ?? null;
}

function causeOf(container: ContainerFacts): Cause | null {
  const { waiting, terminated } = container;
  const end = terminated !== null && isFailure(terminated, container) ? terminated : null;
  if (end !== null) return withEnd(container, end);
  if (waiting === null) return null;
  const reason = waiting.reason ?? "Waiting";
  const isOfVersion = versionWaits.has(reason) || runsAsRoot.test(waiting.message ?? "");
  return containerReason(isOfVersion ? "version" : "excused", container, reason, waiting.message);
}

/** An exit with code 0 fails a container that should run. Its next start does not show that, as a restart of an init container does not. */
function isFailure({ exitCode, reason }: TerminatedFacts, { isInit }: ContainerFacts): boolean {
  return !unknownEnds.has(reason ?? "") && (exitCode !== 0 || !isInit);
}

function withEnd(container: ContainerFacts, { exitCode, reason, message }: TerminatedFacts): Cause {
  const named = reason === undefined || reason === "Error" || reason === "Completed" ? "Exit" : reason;
  return { ...containerReason("version", container, named, message), exitCode };
}

/** Its containers run, and a probe or a readiness gate fails. */
function probeFailure({ conditions }: PodFacts): Cause | null {
  const ready = conditions.find(({ type }) => type === "Ready");
  const containersReady = conditions.find(({ type }) => type === "ContainersReady");
  if (containersReady?.status === "False")
    return podCause("version", containersReady.reason ?? "ContainersNotReady", containersReady.message);
  if (ready?.status === "False" && ready.reason === "ReadinessGatesNotReady")
    return podCause("version", ready.reason, ready.message);
  return null;
}

/** The node controller sets Ready to False, without a reason, if a kubelet does not answer. */
function unknownCause({ conditions }: PodFacts): Cause {
  const ready = conditions.find(({ type }) => type === "Ready");
  return podCause("excused", ready?.reason ?? (ready === undefined ? "NotStarted" : "NodeNotReady"), ready?.message);
}

function podCause(blames: Cause["blames"], reason: string, message = ""): Cause {
  return { blames, reason, container: null, exitCode: null, message, restarts: 0 };
}

function containerReason(
  blames: Cause["blames"],
  { name, restarts }: ContainerFacts,
  reason: string,
  message = "",
): Cause {
  return { blames, reason, container: name, exitCode: null, message, restarts };
}
