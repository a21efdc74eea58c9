import type { RuleScope } from "../domain/signature/rule.ts";
import type { VerificationOutcome } from "../domain/signature/outcome.ts";
import type { Target } from "../domain/workload/target/target.ts";
import type { WorkloadRef } from "../domain/workload/workload.ts";

/** Who verifies images by the rules of the deployment. On AWS it is another function, without access to the cluster. */
export interface Verifier {
  /** What the rules are for; none if the deployment has no rules. */
  readonly scopes: readonly RuleScope[];

  /** When the oldest trusted root of the rules was downloaded; absent if they have none, or this process does not know it. */
  readonly oldestRoot?: Date;

  /** Verifies the image of a target, for one workload. Throws `Throttled` and `Unreachable`: then nothing is known. */
  verify(workload: WorkloadRef, target: Target): Promise<VerificationOutcome>;
}

/** Knows no rules, and verifies nothing. */
export const noVerifier: Verifier = {
  scopes: [],
  verify: async () => ({ kind: "disabled", digest: null, reason: "the deployment has no rules" }),
};
