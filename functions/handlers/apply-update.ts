import type { Task } from "../contract/task.ts";
import { checkClaim } from "../domain/workload/update/claim.ts";
import { lambda } from "../runtime/lambda.ts";
import { applied, cleanUp, promoteCanary, startUpdate } from "../workflows/workload-update/apply-update.ts";
import { announceAgain, fixForward } from "../workflows/workload-update/fix-forward.ts";
import { readForStart, startFailure } from "../workflows/workload-update/start-update.ts";
import { scaleDownCanary } from "../workflows/workload-update/scale-down-canary.ts";
import { superseded } from "../workflows/workload-update/wait-result.ts";

/** Claims the workload and updates all replicas: to the image, or to the digest that its tag resolves to now. */
export const applyUpdate: Task<"ApplyUpdate"> = async (ports, input) => {
  if (input.step === "scale-down") return scaleDownCanary(ports, input);
  const workload = await readForStart(ports, input);
  const removed = workload === null ? null : await cleanUp(ports, workload);
  if (removed !== null) return removed;
  if (workload !== null && (await fixForward(ports, workload, input)) !== null)
    return applied(workload, `set ${input.target.image}`);
  const claim = checkClaim(workload, input.execution, input.target);
  await announceAgain(ports, claim);
  const failure = await startFailure(ports, workload, claim, input, ["rolling", "restart"]);
  if (workload === null || failure !== null) return superseded(failure ?? "");
  const isPromotion = claim.kind === "held" && input.strategy === "canary";
  return isPromotion ? promoteCanary(ports, claim, input) : startUpdate(ports, workload, input);
};

export const handler = lambda({ applyUpdate });
