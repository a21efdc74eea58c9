import { describeEvidence, type Evidence } from "../../../domain/health/evidence.ts";
import { redactLines } from "../../../domain/text/redact.ts";
import { truncate } from "../../../domain/text/summarize-list.ts";
import type { HookProgress } from "../../../domain/workload/hook/hook.ts";
import type { KubernetesApi } from "../api.ts";
import { evidenceOf, hasCrashed, type Pod } from "../pods/pod.ts";
import type { Job } from "./hook-objects.ts";

/** Returns the condition by which a Job has ended; undefined while it runs. */
export function endOf({ status: { conditions = [] } = {} }: Pick<Job, "status">) {
  return conditions.find(({ type, status }) => (type === "Complete" || type === "Failed") && status === "True");
}

export function podsOfJob(api: KubernetesApi, namespace: string, { metadata: { uid } }: Job): Promise<readonly Pod[]> {
  return api.listPods(namespace, `controller-uid=${uid}`);
}

/** Of a Job that does not say. */
const defaultBackoffLimit = 6;

/**
 * Reports whether the containers of a Job that failed are the cause: the pods that were evicted, preempted or deleted are not enough for
 * its end. One whose deadline has passed failed if a container exited with an error until then.
 */
export function hasFailedByItself({ spec, status }: Job, reason: string | undefined, pods: readonly Pod[]): boolean {
  const { backoffLimit = defaultBackoffLimit, template } = spec;
  const { failed = 0 } = status ?? {};
  // Kubernetes restarts the containers, and deletes the pod in the end. Each other pod that failed counts to the limit.
  const isByRestarts = template.spec.restartPolicy === "OnFailure" && failed > 0 && failed <= backoffLimit;
  const own = pods.filter(hasFailed).length;
  if (reason === "DeadlineExceeded") return own > 0;
  return own > backoffLimit || (own > 0 && own >= failed) || (isByRestarts && !pods.some(isDisrupted));
}

/** Reports whether a container exited with an error, and nothing happened to the pod from outside. */
export function hasFailed(pod: Pod): boolean {
  return hasCrashed(pod) && pod.metadata.deletionTimestamp === undefined && evidenceOf(pod).cause.blames === "version";
}

/** The kubelet tries again, and for ever. */
const neverStarts = /^(InvalidImageName|ErrImageNeverPull)$/;
const pullFails = /^(ErrImagePull|ImagePullBackOff)$/;
const isMissing = /not found|manifest unknown|does not exist/i;

/** Returns what the pods of a Job show that has not ended. */
export function progressOf(pods: readonly Pod[]): Omit<HookProgress, "log"> {
  const text = (those: readonly Evidence[]) => describeEvidence(those, pods.length) ?? "no pod was created";
  const failed = pods.filter(hasFailed);
  if (failed.length > 0) return { kind: "failed", reason: text(failed.map(evidenceOf)) };
  if (pods.some(({ status }) => status?.phase === "Running")) return { kind: "running", reason: "" };
  const evidence = pods.map(evidenceOf);
  const refused = evidence.filter(
    ({ cause: { reason, message } }) => neverStarts.test(reason) || (pullFails.test(reason) && isMissing.test(message)),
  );
  return refused.length > 0 ? { kind: "refused", reason: text(refused) } : { kind: "waiting", reason: text(evidence) };
}

/** https://kubernetes.io/docs/concepts/workloads/pods/disruptions/#pod-disruption-conditions. Before 1.26, only the kubelet says it. */
function isDisrupted({ status }: Pod): boolean {
  const hasCondition = status?.conditions?.some((one) => one.type === "DisruptionTarget" && one.status === "True");
  return hasCondition === true || status?.reason === "Evicted" || status?.reason === "Preempting";
}

const logLines = 20;
const maxLineLength = 200;

/** Reads the end of the log of the last pod, redacted: of the container that failed, or else of its first. */
export async function readLog(api: KubernetesApi, namespace: string, pods: readonly Pod[]): Promise<readonly string[]> {
  const createdAt = ({ metadata }: Pod) => new Date(metadata.creationTimestamp ?? 0).getTime();
  const pod = pods.toSorted((one, other) => createdAt(other) - createdAt(one))[0];
  if (pod === undefined) return [];
  const { containerStatuses = [], initContainerStatuses = [] } = pod.status ?? {};
  const statuses = [...initContainerStatuses, ...containerStatuses];
  const failed = statuses.find(({ state }) => (state?.terminated?.exitCode ?? 0) !== 0);
  const container = failed?.name ?? pod.spec.containers[0]?.name ?? "";
  const text = await api.readLog(namespace, pod.metadata.name, container, logLines);
  return redactLines(text)
    .slice(-logLines)
    .map((line) => truncate(line, maxLineLength));
}
