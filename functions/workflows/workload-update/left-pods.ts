import type { Ports } from "../../contract/ports.ts";
import type { TimedStepResult } from "../../contract/workload-update.ts";
import { needsContinuation } from "../../domain/execution/history-limit.ts";
import {
  maxPodCheckSeconds,
  minPodCheckSeconds,
  nextLeftPod,
  type NextPod,
  refusedSeconds,
} from "../../domain/workload/on-delete/next-pod.ts";
import type { Workload } from "../../domain/workload/workload.ts";
import { podRoundSeconds } from "./wait-result.ts";

type PodPorts = Pick<Ports, "cluster" | "now">;

/** Returns the next pod to replace of a canary without an update that its controller does not replace; null if none is left. */
export async function findLeftPod(
  { cluster, now }: PodPorts,
  workload: Workload | null,
): Promise<Exclude<NextPod, { readonly kind: "none" }> | null> {
  if (!workload?.isCanaryLeft || !workload.rollout?.isOnDelete) return null;
  const pods = await cluster.listPods(workload);
  const next = nextLeftPod(pods, workload.rollout, workload.policy.podPauseSeconds, now());
  return next.kind === "none" ? null : next;
}

/** Checks the pods of such a canary, without a claim: null if none is left, and if the execution is long, because the next poll starts another. */
export async function checkLeftPods(
  ports: PodPorts,
  workload: Workload | null,
  executionStartedAt: string,
): Promise<TimedStepResult<"roll" | "progressing"> | null> {
  const next = await findLeftPod(ports, workload);
  if (next === null || needsContinuation(executionStartedAt, ports.now(), podRoundSeconds)) return null;
  if (next.kind === "evict") return { kind: "roll", waitSeconds: 0, reason: `pod ${next.pod.name} is next` };
  return { waitSeconds: maxPodCheckSeconds, ...next, kind: "progressing" };
}

/** Evicts the next pod of such a canary; null if there is none. */
export async function rollLeftPod(
  ports: PodPorts,
  workload: Workload | null,
): Promise<TimedStepResult<"rolled"> | null> {
  const next = await findLeftPod(ports, workload);
  if (workload === null || next?.kind !== "evict") return null;
  const { name } = next.pod;
  const eviction = await ports.cluster.evictPod(workload, next.pod);
  return eviction.kind === "refused"
    ? { kind: "rolled", waitSeconds: refusedSeconds, reason: `pod ${name} cannot be evicted: ${eviction.reason}` }
    : { kind: "rolled", waitSeconds: minPodCheckSeconds, reason: `evicted pod ${name}` };
}
