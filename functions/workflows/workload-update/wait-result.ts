import type { Ports } from "../../contract/ports.ts";
import type { TimedStepResult } from "../../contract/workload-update.ts";
import { needsContinuation } from "../../domain/execution/history-limit.ts";
import { resumeAnalysis } from "../../domain/analysis/pause.ts";
import { minPodCheckSeconds, refusedSeconds } from "../../domain/workload/on-delete/next-pod.ts";
import type { HeldClaim } from "../../domain/workload/update/claim.ts";
import type { Change } from "../../domain/workload/update/change.ts";
import { recordParked } from "../../domain/workload/update/park.ts";
import type { ParkedUpdate } from "../../domain/workload/update/parked-update.ts";
import { renewalChange } from "../../domain/workload/policy/observation.ts";
import type { Workload } from "../../domain/workload/workload.ts";

type WaitPorts = Pick<Ports, "cluster" | "now">;

/** While pods are replaced one by one, each adds 25 history events in 3 s at least, or 16 in 2 s without a pause: 18,000 until then. */
export const podRoundSeconds = 1.5;

/** Returns the result of a step that has lost its claim: nothing more is written. */
export function superseded(reason: string): TimedStepResult<"superseded"> {
  return { kind: "superseded", waitSeconds: 0, reason };
}

/**
 * Returns the result of a check without a verdict: the machine waits, and continues as new before the limit of its history. Writes
 * what the check `noted`, and keeps the claim.
 */
export async function waitResult(
  ports: WaitPorts,
  workload: Workload,
  { waitSeconds, reason }: { readonly waitSeconds: number; readonly reason: string },
  executionStartedAt: string,
  noted: Change | null = null,
): Promise<TimedStepResult<"progressing" | "continue">> {
  await keepClaim(ports, workload, waitSeconds, noted);
  const roundSeconds = workload.rollout?.isOnDelete ? podRoundSeconds : undefined;
  const isLong = needsContinuation(executionStartedAt, ports.now(), roundSeconds);
  return { kind: isLong ? "continue" : "progressing", waitSeconds, reason };
}

/** Returns the result of a check after which a pod is replaced. It keeps the claim, and continues as new, as a wait does. */
export async function rollResult(
  ports: WaitPorts,
  workload: Workload,
  reason: string,
  executionStartedAt: string,
  waitSeconds = 0,
  noted: Change | null = null,
): Promise<TimedStepResult<"roll" | "continue">> {
  const result = await waitResult(ports, workload, { waitSeconds, reason }, executionStartedAt, noted);
  return { ...result, kind: result.kind === "continue" ? "continue" : "roll" };
}

/** Returns the same of a canary. The wait after it is that of the check: a refused eviction is tried again later. Each pod has the time of one. */
export async function rollCanaryResult(
  ports: WaitPorts,
  { workload, inFlight }: HeldClaim,
  reason: string,
  executionStartedAt: string,
): Promise<TimedStepResult<"roll" | "continue">> {
  const { analysis } = workload;
  const waitSeconds = inFlight.observation?.kind === "waiting" ? refusedSeconds : minPodCheckSeconds;
  const noted = analysis?.pause?.reason === "NotReady" ? { analysis: resumeAnalysis(analysis) } : null;
  return rollResult(ports, workload, reason, executionStartedAt, waitSeconds, noted);
}

/**
 * Writes what a check `noted`, if anything, and renews the claim if it would expire before the next check. Every state that waits
 * calls it: otherwise another installation adopts an update that is only slow. Unless it is `parked`, a claim that was is so no more.
 */
export async function keepClaim(
  { cluster, now }: WaitPorts,
  workload: Workload,
  waitSeconds: number,
  noted: Change | null,
  parked: ParkedUpdate | null = null,
): Promise<void> {
  const seen = { ...noted, ...recordParked(workload.inFlight, parked) };
  const isRenewalOnly = Object.keys(seen).length === 0;
  const change = isRenewalOnly
    ? renewalChange(workload, waitSeconds, now())
    : { ...seen, nextStepSeconds: waitSeconds };
  if (change !== null) await cluster.change(workload, change);
}
