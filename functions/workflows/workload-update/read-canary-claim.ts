import type { Ports } from "../../contract/ports.ts";
import type { StepInput } from "../../contract/workload-update.ts";
import { checkClaim, type Claim } from "../../domain/workload/update/claim.ts";
import { refusePromotion } from "../../domain/workload/request/request.ts";

/** Reads the claim of a canary, and first answers a request to continue it if it is not paused. */
export async function readCanaryClaim(
  { cluster }: Pick<Ports, "cluster">,
  { workload: ref, execution, target }: StepInput,
): Promise<Claim> {
  const claim = checkClaim(await cluster.read(ref), execution, target);
  const refusal = claim.kind === "held" ? refusePromotion(claim.workload) : null;
  if (claim.kind === "lost" || refusal === null) return claim;
  await cluster.change(claim.workload, refusal);
  return checkClaim(await cluster.read(ref), execution, target);
}
