import { approvalPolicies } from "../../gates/approval.ts";
import type { Candidate } from "../../gates/candidate.ts";
import type { ClosedGate } from "../../gates/closed-gate.ts";
import { describeGate } from "../../gates/describe-gate.ts";
import type { GateSubject } from "../../gates/gate.ts";
import { replaceTag, tagOf } from "../../image/reference.ts";
import { formatRfc3339 } from "../../text/rfc3339.ts";
import type { ImageTarget } from "../../workload/target/target.ts";
import { parseApproval, parseMinimumAge } from "../../workload/policy/fields/candidate-fields.ts";
import { parseDigest } from "../node/node-state.ts";
import type { Membership } from "./membership.ts";
import type { NodePool, NodePoolSpec } from "./node-pool.ts";
import type { RawPoolSpec } from "./raw-spec.ts";

/** Parses what an image needs before a node is updated to it, as a policy of a workload has it. */
export function parseGatePolicy(
  { minimumReleaseAge, approval: written }: Pick<RawPoolSpec, "minimumReleaseAge" | "approval">,
  addProblem: (field: string, reason: string) => void,
): NodePoolSpec["gatePolicy"] {
  const approval = parseApproval(written, (reason) => addProblem("approval", reason));
  const age = parseMinimumAge(minimumReleaseAge, (reason) => addProblem("minimumReleaseAge", reason));
  return { ...age, ...(approval === null ? {} : { approval }) };
}

/** Reports whether a node of a pool does not run an image: only then a gate matters. */
export function isBehind({ members, joining }: Membership, image: string | null): boolean {
  const digest = parseDigest(image ?? "");
  return joining.length > 0 || members.some(({ bootcNode }) => bootcNode.bootedDigest !== digest);
}

/** Reports whether a node is still to be requested to stage an image: before that, its signature is verified. */
export function isToBeStaged({ members, joining }: Membership, image: string): boolean {
  return joining.length > 0 || members.some(({ bootcNode }) => bootcNode.desiredImage !== image);
}

/** Says which gates keep the nodes of a pool from its target, and who or what opens each. */
export function describeGates(gates: readonly ClosedGate[]): string {
  return `it waits for ${gates.map(describeGate).join("; and for ")}`;
}

/** Returns a pool as gates judge it. A freeze of some namespaces is for none. */
export function gateSubject({ name, spec, approvals = [] }: NodePool): GateSubject {
  return { ref: { kind: "BootcNodePool", namespace: "", name }, policy: spec.gatePolicy, approvals };
}

/** Returns the digest that the gates judge by itself; null if they judge none: nothing is required, or all nodes have run it. */
export function judgedDigest({ spec, status }: NodePool, image: string): string | null {
  const digest = parseDigest(image);
  const { minimumReleaseAgeSeconds = 0 } = spec.gatePolicy;
  const isJudged = minimumReleaseAgeSeconds > 0 || approvalPolicies(spec.gatePolicy).length > 0;
  return isJudged && digest !== status.deployedDigest ? digest : null;
}

/** Returns what people approve, by the tag; without one, by the digest as a tag has it. */
export function poolCandidate({ spec, status }: NodePool, digest: string): Candidate {
  const since = status.targetSince === null ? "" : formatRfc3339(status.targetSince);
  return { version: tagOf(spec.imageRef) || digest.replace(":", "-"), digest, since };
}

/** Returns a candidate as the target of an update. */
export function candidateTarget({ spec }: NodePool, { version, digest }: Candidate): ImageTarget {
  return { kind: "image", image: replaceTag(spec.imageRef, version), digest };
}
