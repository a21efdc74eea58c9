import type { Ports } from "../../contract/ports.ts";
import type { TimedStepResult } from "../../contract/workload-update.ts";
import { needsContinuation } from "../../domain/execution/history-limit.ts";
import { waitingSince } from "../../domain/workload/policy/observation.ts";
import type { Observation } from "../../domain/workload/policy/observation-kinds.ts";
import type { Change } from "../../domain/workload/update/change.ts";
import { type Parking, planParking } from "../../domain/workload/update/park.ts";
import type { Readiness } from "../../domain/workload/update/readiness.ts";
import { slowReport } from "../../domain/workload/update/slow.ts";
import type { Workload } from "../../domain/workload/workload.ts";
import { noteFailing } from "./note-failing.ts";
import type { ObservedClaim } from "./observe-claim.ts";
import { keepClaim, waitResult } from "./wait-result.ts";

type ParkPorts = Pick<Ports, "cluster" | "now">;
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
  { parked, waitSeconds, reason }: Parking & { readonly reason: string },
  executionStartedAt: string,
  noted: Change | null = null,
): Promise<TimedStepResult<"parked" | "continue">> {
  await keepClaim(ports, workload, waitSeconds, noted, parked);
  return { kind: needsContinuation(executionStartedAt, ports.now()) ? "continue" : "parked", waitSeconds, reason };
}
