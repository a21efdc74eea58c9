import type { Ports } from "../../contract/ports.ts";
import type { TimedStepResult } from "../../contract/workload-update.ts";
import { needsContinuation } from "../../domain/execution/history-limit.ts";
import {
  leftPodIdleSeconds,
  leftPodWaitSeconds,
  maxPodCheckSeconds,
  minPodCheckSeconds,
  nextLeftPod,
  type NextPod,
  refusedSeconds,
} from "../../domain/workload/on-delete/next-pod.ts";
import { parseRfc3339 } from "../../domain/text/rfc3339.ts";
import type { Workload } from "../../domain/workload/workload.ts";
import { podRoundSeconds } from "./wait-result.ts";

/** The state machine shows an execution as parked once nothing has changed for this long. */
const parkedAfterSeconds = 3600;

type PodPorts = Pick<Ports, "cluster" | "now">;

/** The next pod, and for how long nothing has changed. */
interface LeftPod {
  readonly next: Exclude<NextPod, { readonly kind: "none" }>;
  readonly idleSeconds: number;
}

/** Returns the next pod to replace of a canary without an update that its controller does not replace; null if none is left. */
export async function findLeftPod(
  { cluster, now }: PodPorts,
  workload: Workload | null,
  executionStartedAt = "",
): Promise<LeftPod | null> {
  if (!workload?.isCanaryLeft || !workload.rollout?.isOnDelete) return null;
  const pods = await cluster.listPods(workload);
  const time = now();
  const next = nextLeftPod(pods, workload.rollout, workload.policy.podPauseSeconds, time);
  const idleSeconds = leftPodIdleSeconds(pods, parseRfc3339(executionStartedAt) ?? time, time);
  return next.kind === "none" ? null : { next, idleSeconds };
}

/** Removes a canary without an update, or what marks it, once none of its pods is left that Pawl has to replace. */
export async function removeLeftCanary(ports: PodPorts, workload: Workload): Promise<void> {
  if ((await findLeftPod(ports, workload)) === null) await ports.cluster.change(workload, { canary: null });
}

/** Checks the pods of such a canary, without a claim: null if none is left, and if the execution is long, because the next poll starts another. */
export async function checkLeftPods(
  ports: PodPorts,
  workload: Workload | null,
  executionStartedAt: string,
): Promise<TimedStepResult<"roll" | "progressing" | "parked"> | null> {
  const left = await findLeftPod(ports, workload, executionStartedAt);
  if (left === null) return null;
  const { next, idleSeconds } = left;
  const roundSeconds = idleSeconds < refusedSeconds ? podRoundSeconds : refusedSeconds;
  if (needsContinuation(executionStartedAt, ports.now(), roundSeconds)) return null;
  if (next.kind === "evict") return { kind: "roll", waitSeconds: 0, reason: `pod ${next.pod.name} is next` };
  const { waitSeconds } = { waitSeconds: maxPodCheckSeconds, ...next };
  const kind = idleSeconds < parkedAfterSeconds ? "progressing" : "parked";
  return { kind, waitSeconds: leftPodWaitSeconds(waitSeconds, idleSeconds), reason: next.reason };
}

/** Evicts the next pod of such a canary; null if there is none. */
export async function rollLeftPod(
  ports: PodPorts,
  workload: Workload | null,
  executionStartedAt?: string,
): Promise<TimedStepResult<"rolled"> | null> {
  const left = await findLeftPod(ports, workload, executionStartedAt);
  if (workload === null || left?.next.kind !== "evict") return null;
  const { name } = left.next.pod;
  const eviction = await ports.cluster.evictPod(workload, left.next.pod);
  if (eviction.kind !== "refused")
    return { kind: "rolled", waitSeconds: minPodCheckSeconds, reason: `evicted pod ${name}` };
  const waitSeconds = leftPodWaitSeconds(refusedSeconds, left.idleSeconds);
  return { kind: "rolled", waitSeconds, reason: `pod ${name} cannot be evicted: ${eviction.reason}` };
}
