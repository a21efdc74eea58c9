import type { Ports } from "../../contract/ports.ts";
import type { StepInput, TimedStepResult } from "../../contract/workload-update.ts";
import type { CanaryVerdict } from "../../domain/workload/canary/canary.ts";
import { needsContinuation } from "../../domain/execution/history-limit.ts";
import { waitingSince } from "../../domain/workload/policy/observation.ts";
import type { Observation } from "../../domain/workload/policy/observation-kinds.ts";
import type { Change } from "../../domain/workload/update/change.ts";
import { parkReason, type Parking, planParking, planUnverified } from "../../domain/workload/update/park.ts";
import type { Readiness } from "../../domain/workload/update/readiness.ts";
import { slowReport } from "../../domain/workload/update/slow.ts";
import type { Workload } from "../../domain/workload/workload.ts";
import { noteFailing } from "./note-failing.ts";
import type { ObservedClaim } from "./observe-claim.ts";
import type { HeldClaim } from "../../domain/workload/update/claim.ts";
import { unverifiedWaitSeconds, verificationFailure } from "../../domain/workload/update/verified-change.ts";
import { keepClaim, waitResult } from "./wait-result.ts";

type ParkPorts = Pick<Ports, "cluster" | "now">;
/** Why and how long an execution sleeps. `reason` is a sentence for people. */
type Sleep = Parking & { readonly reason: string };
type Unjudged = Extract<Readiness, { readonly kind: "progressing" | "waiting" }>;

/**
 * Returns the result of a check without a verdict, and writes what it is to note: the machine checks again soon, or it sleeps if only a person or
 * scaling can change anything.
 */
export async function waitForVerdict(
  ports: ParkPorts,
  claim: ObservedClaim,
  verdict: Unjudged,
  observation: Observation | null,
  executionStartedAt: string,
): Promise<TimedStepResult<"progressing" | "parked" | "continue">> {
  const { workload, inFlight } = claim;
  const failing = noteFailing(claim);
  const slow = slowReport(workload, inFlight, ports.now());
  // Repeated after a kill, it is one Event.
  if (slow !== null) await ports.cluster.emitEvent(workload, slow);
  const seen = { ...(observation === null ? {} : { observation }), ...(slow === null ? {} : { slow: true as const }) };
  const noted = failing === null && Object.keys(seen).length === 0 ? null : { ...seen, ...failing };
  const since = verdict.kind === "waiting" ? waitingSince(observation ?? inFlight.observation) : null;
  const parking = since && planParking(workload, inFlight, since, ports.now());
  return parking === null
    ? waitResult(ports, workload, verdict, executionStartedAt, noted)
    : parkResult(ports, workload, { ...parking, reason: verdict.reason }, executionStartedAt, noted);
}

/**
 * Returns the result of a check after which the execution sleeps, and records that in its claim, which does not expire meanwhile. A sleep
 * ends long before the timeout of the machine, as the execution continues as new once it is a day old.
 */
export async function parkResult(
  ports: ParkPorts,
  workload: Workload,
  { parked, waitSeconds, reason }: Sleep,
  executionStartedAt: string,
  noted: Change | null = null,
): Promise<TimedStepResult<"parked" | "continue">> {
  await keepClaim(ports, workload, waitSeconds, noted, parked);
  return { kind: needsContinuation(executionStartedAt, ports.now()) ? "continue" : "parked", waitSeconds, reason };
}

/**
 * Returns the result of a step that would write an image which is not verified any more: the canary keeps its size, and its execution sleeps.
 * `otherwise` is the kind of the result if nothing can note that.
 */
export async function parkUnverified<Kind extends string>(
  ports: ParkPorts,
  { workload, inFlight }: HeldClaim,
  reason: string,
  otherwise: Kind,
): Promise<TimedStepResult<Kind | "parked">> {
  const parking = planUnverified(workload, inFlight, ports.now());
  if (parking === null) return { kind: otherwise, waitSeconds: unverifiedWaitSeconds, reason };
  await keepClaim(ports, workload, parking.waitSeconds, null, parking.parked);
  return { kind: "parked", waitSeconds: parking.waitSeconds, reason };
}

/**
 * Returns how long a canary sleeps on that is ready, and whose image was not verified by its last step; null if it continues. A poll asks who signed the
 * image, and continues it then: its next step would only ask, and sleep again.
 */
export function unverifiedSleep(
  { workload, inFlight }: HeldClaim,
  verdict: CanaryVerdict["kind"],
  { target, verification }: StepInput,
  now: Date,
): Sleep | null {
  const { parked } = inFlight;
  if ((verdict !== "ready" && verdict !== "promoted") || parked?.reason !== "Unverified") return null;
  const reason = verificationFailure(workload, target, verification);
  const isAsleep = reason !== null && parkReason(workload, inFlight, now) === "Unverified";
  return isAsleep ? { parked, waitSeconds: unverifiedWaitSeconds, reason } : null;
}
