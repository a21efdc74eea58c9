import type { Task } from "../contract/task.ts";
import { checkClaim } from "../domain/workload/update/claim.ts";
import { lambda } from "../runtime/lambda.ts";
import { syncClaim } from "../workflows/workload-update/sync-update.ts";
import { superseded } from "../workflows/workload-update/wait-result.ts";

/** Commits the image of an update that git names, with those of all that wait, and reports whether the workload has it. */
export const syncUpdate: Task<"SyncUpdate"> = async (ports, input) => {
  const claim = checkClaim(await ports.cluster.read(input.workload), input.execution, input.target);
  return claim.kind === "held" ? syncClaim(ports, claim, input) : superseded(claim.reason);
};

export const handler = lambda({ syncUpdate });
