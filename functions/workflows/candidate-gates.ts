import { createAfterGate, hasSoaked, type Upstreams } from "../domain/gates/after.ts";
import { createApprovalGate, decisionsAbout } from "../domain/gates/approval-gate.ts";
import { approvalPolicies } from "../domain/gates/approval.ts";
import { type Candidate, candidateName, hasCandidateGates } from "../domain/gates/candidate.ts";
import type { Gate, GateSubject } from "../domain/gates/gate.ts";
import { createMinimumAgeGate } from "../domain/gates/minimum-age.ts";
import { tagOf } from "../domain/image/reference.ts";
import type { Target } from "../domain/workload/target/target.ts";
import type { Workload } from "../domain/workload/workload.ts";
import type { Cluster } from "../ports/cluster.ts";
import { readUpstreams } from "./read-upstreams.ts";

/** What the gates that judge each version by itself depend on, besides the version. */
export interface CandidateFacts {
  /** Why nothing proves who wrote an approval; null if an admission policy does. */
  readonly unverified: string | null;
  readonly upstreams: Upstreams;
}

type FactPorts = Pick<Cluster, "name" | "identityProblem" | "readNamed">;

/** Reads the facts of these gates, if they matter. Throws `Unreachable` and `Throttled`. */
export async function readCandidateFacts(cluster: FactPorts, workload: Workload): Promise<CandidateFacts> {
  return { unverified: await readUnverified(cluster, workload), upstreams: await readUpstreams(cluster, workload) };
}

async function readUnverified(
  cluster: Pick<Cluster, "identityProblem">,
  { policy, approvals = [] }: GateSubject,
): Promise<string | null> {
  const isAsked = approvalPolicies(policy).length > 0 || (hasCandidateGates(policy) && approvals.length > 0);
  return isAsked ? cluster.identityProblem("approvals") : null;
}

/** Returns the gates of age and approvals, with their facts. Throws `Unreachable` and `Throttled`. */
export async function approvalGates(
  cluster: Pick<Cluster, "identityProblem">,
  subject: GateSubject,
  candidates: readonly Candidate[],
): Promise<readonly Gate<GateSubject>[]> {
  return judgementGates(candidates, await readUnverified(cluster, subject));
}

function judgementGates(candidates: readonly Candidate[], unverified: string | null): readonly Gate<GateSubject>[] {
  return [createMinimumAgeGate(candidates, unverified), createApprovalGate(candidates, unverified)];
}

/** Returns the gates that judge each version by itself, by what is known of the versions. */
export function candidateGates(
  candidates: readonly Candidate[],
  { unverified, upstreams }: CandidateFacts,
): readonly Gate[] {
  return [...judgementGates(candidates, unverified), createAfterGate(candidates, upstreams)];
}

/** Returns the gates for a target that a person pushes: time does not count. */
export function pushGates(target: Target, { unverified }: CandidateFacts): readonly Gate[] {
  const version = candidateName(target);
  const digest = "digest" in target ? target.digest : undefined;
  const known = version === null || digest === undefined ? [] : [{ version, digest, since: "" }];
  return [createApprovalGate(known, unverified)];
}

/** Reports whether people or another workload have had to do with a version: then it is judged, also if it is not the newest. */
export function isKnownElsewhere({ approvals = [] }: Workload, target: Target, { upstreams }: CandidateFacts): boolean {
  return approvals.some(({ version }) => version === tagOf(target.image)) || hasSoaked(upstreams, target);
}

/** As many as a status has. */
const maxDecisions = 50;

/** Adds who has decided about a candidate, for people: who rejected it first. */
export function withDecisions(
  workload: Workload,
  target: Target,
  { approvals: _before, ...candidate }: Candidate,
  { unverified }: CandidateFacts,
  now: Date,
): Candidate {
  const decisions = unverified === null ? decisionsAbout(workload, target, candidate.digest, now) : [];
  const isRejection = ({ verdict }: { readonly verdict: string }) => Number(verdict === "reject");
  const approvals = decisions
    .toSorted((one, other) => isRejection(other) - isRejection(one))
    .slice(0, maxDecisions)
    .map(({ user, verdict, at, message }) => ({ user, verdict, at, message }));
  return approvals.length === 0 ? candidate : { ...candidate, approvals };
}
