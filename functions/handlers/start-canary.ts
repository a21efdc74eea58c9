import type { Task } from "../contract/task.ts";
import { checkClaim } from "../domain/workload/update/claim.ts";
import { nextCheckSeconds } from "../domain/workload/update/readiness.ts";
import { verificationFailure } from "../domain/workload/update/verified-change.ts";
import { lambda } from "../runtime/lambda.ts";
import { stepText } from "../domain/workload/canary/progress.ts";
import { applied } from "../workflows/workload-update/apply-update.ts";
import { announceAgain, fixForward } from "../workflows/workload-update/fix-forward.ts";
import { continueCanary, createCanary, readForStart, startFailure } from "../workflows/workload-update/start-update.ts";
import { waitForPreHook } from "../workflows/workload-update/wait-for-hook.ts";
import { parkUnverified } from "../workflows/workload-update/park-result.ts";
import { superseded } from "../workflows/workload-update/wait-result.ts";

/** Claims the workload and updates a few replicas to the image, while the others keep theirs; later begins its next step. */
export const startCanary: Task<"StartCanary"> = async (ports, input) => {
  const workload = await readForStart(ports, input);
  const forward = workload === null ? null : await fixForward(ports, workload, input);
  if (workload !== null && forward !== null)
    return {
      ...applied(workload, `a canary runs ${input.target.image}`),
      kind: "started",
      step: stepText({ canaryProgress: forward.canaryProgress ?? null }),
    };
  const claim = checkClaim(workload, input.execution, input.target);
  await announceAgain(ports, claim);
  const failure = await startFailure(ports, workload, claim, input, ["canary"]);
  const canary = workload?.policy.canary ?? null;
  if (workload === null || canary === null || failure !== null)
    return { ...superseded(failure ?? "pawl.dev/canary was removed"), step: "" };
  const unverified = verificationFailure(workload, input.target, input.verification);
  if (unverified !== null && claim.kind === "held")
    return { ...(await parkUnverified(ports, claim, unverified, "started")), step: stepText(workload) };
  const hook = await waitForPreHook(ports, workload, input);
  if (hook !== null) return { kind: "hook", ...hook, step: "" };
  const result = (await continueCanary(ports, claim)) ?? (await createCanary(ports, workload, input, canary));
  return { kind: "started", waitSeconds: nextCheckSeconds(0, workload.policy.healthTimeoutSeconds), ...result };
};

export const handler = lambda({ startCanary });
