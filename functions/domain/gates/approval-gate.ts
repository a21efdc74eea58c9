import { countNoun } from "../text/count-noun.ts";
import { tagOf } from "../image/reference.ts";
import type { Target } from "../workload/target/target.ts";
import { type Approval, type ApprovalPolicy, approvalPolicies, isCounted } from "./approval.ts";
import { type Candidate, candidateName, findCandidate } from "./candidate.ts";
import type { Gate, GateSubject } from "./gate.ts";

/** Returns the decisions that count about a version: of its digest; a rejection of the tag, whatever it resolves to. */
export function decisionsAbout(
  { policy, approvals = [] }: GateSubject,
  target: Target,
  digest: string,
  now: Date,
): readonly Approval[] {
  const version = tagOf(target.image);
  const policies = approvalPolicies(policy);
  return approvals.filter(
    (one) =>
      one.version === version &&
      (one.digest === digest || one.verdict === "reject") &&
      (policies.length === 0 ? [{}] : policies).some((required) => isCounted(one, required, now)),
  );
}

/**
 * Returns the gate of approvals, by what is known of the candidates. `unverified` says why nothing proves who wrote an approval; null if the
 * API server does.
 */
export function createApprovalGate(candidates: readonly Candidate[], unverified: string | null): Gate<GateSubject> {
  return {
    name: "approval",
    hold: "awaiting-approval",
    isEvaluatedAgain: true,
    hasFacts: true,
    needsDigest: ({ policy }) => approvalPolicies(policy).length > 0,
    evaluate(workload, target, now) {
      const { ref, policy } = workload;
      const policies = approvalPolicies(policy);
      if (policies.length === 0 || target === null || candidateName(target) === null) return null;
      const version = tagOf(target.image);
      const digest = findCandidate(candidates, target)?.digest;
      if (digest === undefined)
        return { reason: "ApprovalUnknown", message: `it is not known which digest of ${version} is to be approved` };
      if (unverified !== null)
        return { reason: "ApprovalUnverified", message: unverified, liftedBy: "the operator of Pawl" };
      const decisions = decisionsAbout(workload, target, digest, now);
      const named = [ref.kind.toLowerCase(), ref.namespace, ref.name].filter((part) => part !== "").join("/");
      const command = `pawl approve ${named} ${version}@${digest}`;
      const rejected = decisions.find(({ verdict }) => verdict === "reject");
      if (rejected !== undefined) {
        const why = rejected.message === "" ? "" : `: ${rejected.message}`;
        const message = `${version} was rejected by ${rejected.user}${why}`;
        return { reason: "Rejected", message, liftedBy: `a newer version, or ${rejected.user}: ${command}` };
      }
      const counted = policies.map((one) => decisions.filter((decision) => isCounted(decision, one, now)));
      const unmet = policies.findIndex(({ required }, index) => Number(counted[index]?.length) < required);
      if (unmet === -1) return null;
      const { required } = policies[unmet] as ApprovalPolicy;
      const users = (counted[unmet] as readonly Approval[]).map(({ user }) => user).toSorted();
      const given = users.length === 0 ? "has none" : `has ${users.length}, by ${users.join(", ")}`;
      const message = `${version} needs ${countNoun(required, "approval")} and ${given}: ${command}`;
      return { reason: "ApprovalRequired", message, liftedBy: command };
    },
  };
}
