import { recordStart } from "../domain/bookkeeping.ts";
import { recordPromotion } from "../domain/canary-record.ts";
import { claimOf } from "../domain/claim.ts";
import { canaryPromoted, updateStarted } from "../domain/news.ts";
import { whyNotApply } from "../domain/poll-decision.ts";
import { nextCheckSeconds } from "../domain/readiness.ts";
import { lambda, type Task } from "../task.ts";
import { tell } from "../telling.ts";

/** Claims the workload and sets the image, in one patch on the resourceVersion that was read. */
export const applyUpdate: Task<"ApplyUpdate"> = async (ports, { workload: ref, image, execution, strategy }) => {
  const { cluster, now } = ports;
  const workload = await cluster.read(ref);
  const claim = claimOf(workload, execution, image);
  if (workload === null) return { kind: "superseded", waitSeconds: 0, reason: "the workload is gone" };
  const isFresh = workload.inFlight === null && strategy !== "canary";
  const refusal = claim.kind === "held" ? null : isFresh ? whyNotApply(workload, image) : claim.reason;
  if (refusal !== null) return { kind: "superseded", waitSeconds: 0, reason: refusal };
  if (claim.kind === "held" && strategy === "canary") {
    await cluster.change(workload, recordPromotion(claim.inFlight, now()));
    await tell(ports, workload, canaryPromoted(image, execution));
  } else {
    await cluster.change(workload, recordStart(workload, image, execution, now()));
    await tell(ports, workload, updateStarted(image, execution));
  }
  return { kind: "applied", waitSeconds: nextCheckSeconds(0, workload.policy), reason: `set ${image}` };
};

export const handler = lambda(applyUpdate);
