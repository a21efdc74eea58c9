import type { Ports } from "../../contract/ports.ts";
import type { Change } from "../../domain/workload/update/change.ts";
import { checkClaim, type HeldClaim } from "../../domain/workload/update/claim.ts";
import { frozenPods, frozenReason } from "../../domain/workload/on-delete/assess-on-delete.ts";
import {
  minPodCheckSeconds,
  nextPod,
  podCheckSeconds,
  refusedSeconds,
} from "../../domain/workload/on-delete/next-pod.ts";
import type { InFlight, Rollback } from "../../domain/workload/update/in-flight.ts";
import type { Workload } from "../../domain/workload/workload.ts";

type RollPorts = Pick<Ports, "cluster" | "now">;

interface RollResult {
  readonly waitSeconds: number;
  readonly reason: string;
}

/**
 * Evicts the next pod, and starts its deadline. If a PodDisruptionBudget refuses that, notes why: no deadline of an update counts while
 * it waits.
 */
export async function rollNextPod(ports: RollPorts, { workload, inFlight }: HeldClaim): Promise<RollResult> {
  const { cluster, now } = ports;
  const { rollout, canary, policy } = workload;
  const pods = rollout?.isOnDelete ? await cluster.listPods(workload) : [];
  const limit = inFlight.phase === "canary" ? (canary?.desiredReplicas ?? 0) : undefined;
  const next = rollout === null ? null : nextPod(pods, rollout, policy.podPauseSeconds, now(), limit);
  const checkSeconds = podCheckSeconds(inFlight, now());
  if (next === null || next.kind === "none")
    return { waitSeconds: checkSeconds, reason: "no pod needs to be replaced" };
  if (next.kind !== "evict")
    return { waitSeconds: "waitSeconds" in next ? next.waitSeconds : checkSeconds, reason: next.reason };
  const { name } = next.pod;
  const before = restartDeadline(inFlight, now());
  if (before !== null) await cluster.change(workload, before);
  const eviction = await cluster.evictPod(workload, next.pod);
  if (eviction.kind === "refused") {
    const reason = `pod ${name} cannot be evicted: ${eviction.reason}`;
    await note(ports, workload, inFlight, { observation: { kind: "waiting", reason } });
    return { waitSeconds: refusedSeconds, reason };
  }
  // A rollback ends too early, at worst, if this is not written; an update would blame its version.
  if (inFlight.phase === "rollback") await note(ports, workload, inFlight, restored(inFlight, now()));
  return { waitSeconds: minPodCheckSeconds, reason: `evicted pod ${name}` };
}

/** The health timeout counts for each pod: from before its eviction, so that no pod has the time of another. */
function restartDeadline({ observation, phase }: InFlight, at: Date): Change | null {
  return phase !== "rollback" && observation?.kind === "observed" ? { observation: { ...observation, at } } : null;
}

function restored(rollback: Rollback, revertedAt: Date): Change {
  const { observation: _, ...rest } = rollback;
  return { inFlight: { ...rest, revertedAt } };
}

/** Writes what became of an eviction, unless it is noted, or the claim was lost. */
async function note(
  { cluster }: RollPorts,
  { ref }: Workload,
  { execution, target, observation }: InFlight,
  change: Change,
): Promise<void> {
  const isNoted =
    observation?.kind === "waiting" &&
    change.observation?.kind === "waiting" &&
    observation.reason === change.observation.reason;
  if (isNoted) return;
  const claim = checkClaim(await cluster.read(ref), execution ?? "", target);
  if (claim.kind === "held") await cluster.change(claim.workload, change);
}

/** Describes the frozen pods of a workload; null if Pawl does not replace its pods, or none is frozen. */
export async function describeFrozenPods(
  { cluster }: Pick<Ports, "cluster">,
  workload: Workload,
): Promise<string | null> {
  if (!workload.rollout?.isOnDelete) return null;
  return frozenReason(frozenPods(await cluster.listPods(workload)));
}
