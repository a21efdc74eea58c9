import type { Task } from "../contract/task.ts";
import { checkClaim } from "../domain/workload/claim.ts";
import { nextCheckSeconds } from "../domain/workload/readiness.ts";
import { lambda } from "../runtime/lambda.ts";
import { continueCanary, createCanary, readForStart, startFailure } from "../workflows/workload-update/start-update.ts";
import { waitForPreHook } from "../workflows/workload-update/wait-for-hook.ts";

/** Claims the workload and updates a few replicas to the image, while the others keep theirs; later begins its next step. */
export const startCanary: Task<"StartCanary"> = async (ports, input) => {
  const workload = await readForStart(ports, input);
  const claim = checkClaim(workload, input.execution, input.image);
  const failure = startFailure(workload, claim, input, ports.now());
  const canary = workload?.policy.canary ?? null;
  if (workload === null || canary === null || failure !== null)
    return { kind: "superseded", waitSeconds: 0, reason: failure ?? "pawl.dev/canary was removed", step: "" };
  const hook = await waitForPreHook(ports, workload, input);
  if (hook !== null) return { kind: "hook", ...hook, step: "" };
  const result = (await continueCanary(ports, claim)) ?? (await createCanary(ports, workload, input, canary));
  return { kind: "started", waitSeconds: nextCheckSeconds(0, workload.policy), ...result };
};

export const handler = lambda(startCanary);
