import type { Task } from "../contract/task.ts";
import { checkClaim } from "../domain/workload/claim.ts";
import { promotionObstacle } from "../domain/workload/canary/health.ts";
import { nextCheckSeconds } from "../domain/workload/readiness.ts";
import { lambda } from "../runtime/lambda.ts";
import {
  cleanUp,
  parseTarget,
  promoteCanary,
  readForStart,
  startFailure,
  startUpdate,
} from "../workflows/workload-update/start-update.ts";
import { waitForPreHook, waitForPromotionHook } from "../workflows/workload-update/wait-for-hook.ts";

const recheckSeconds = 15;

/** Claims the workload and updates all replicas: to the image, or to the digest that its tag resolves to now. */
export const applyUpdate: Task<"ApplyUpdate"> = async (ports, input) => {
  const { image, execution, strategy } = input;
  const workload = await readForStart(ports, input);
  const removed = workload === null ? null : await cleanUp(ports, workload);
  if (removed !== null) return { kind: "superseded", waitSeconds: 0, reason: removed };
  const claim = checkClaim(workload, execution, image);
  // An execution that aborts only removes what is left of another.
  const mayStart = strategy === "rolling" || strategy === "restart";
  const failure = startFailure(workload, claim, input, ports.now(), mayStart);
  if (workload === null || failure !== null) return { kind: "superseded", waitSeconds: 0, reason: failure ?? "" };
  const isPromotion = claim.kind === "held" && strategy === "canary";
  const obstacle = isPromotion ? promotionObstacle(workload, claim.inFlight) : null;
  if (obstacle !== null) return { kind: "not-ready", waitSeconds: recheckSeconds, reason: obstacle };
  const hook = await (isPromotion ? waitForPromotionHook(ports, claim) : waitForPreHook(ports, workload, input));
  if (hook !== null) return { kind: "hook", ...hook };
  const reason = await (isPromotion
    ? promoteCanary(ports, claim, execution)
    : startUpdate(ports, workload, parseTarget(input), execution));
  return { kind: "applied", waitSeconds: nextCheckSeconds(0, workload.policy), reason };
};

export const handler = lambda(applyUpdate);
