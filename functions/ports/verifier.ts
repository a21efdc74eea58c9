import type { RuleScope } from "../domain/signature/rule.ts";
import type { VerificationOutcome } from "../domain/signature/outcome.ts";
import type { Target } from "../domain/workload/target/target.ts";
import type { WorkloadRef } from "../domain/workload/workload.ts";

/** Who verifies images by the rules of the deployment. On AWS it is another function, without access to the cluster. */
export interface Verifier {
  /** What the rules are for; none if the deployment has no rules. */
  readonly scopes: readonly RuleScope[];

  /** Verifies the image of a target, for one workload. Throws `Throttled` and `Unreachable`: then nothing is known. */
  verify(workload: WorkloadRef, target: Target): Promise<VerificationOutcome>;
}
