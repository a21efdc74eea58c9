import { recordCanary } from "../domain/canary-record.ts";
import { claimOf } from "../domain/claim.ts";
import { updateStarted } from "../domain/news.ts";
import { whyNotApply } from "../domain/why-not-apply.ts";
import { nextCheckSeconds } from "../domain/readiness.ts";
import { targetOf } from "../target-of.ts";
import { lambda, type Task } from "../task.ts";
import { tell } from "../telling.ts";

/** Claims the workload and lets a few replicas run the image, while the rest keep what they run. */
export const startCanary: Task<"StartCanary"> = async (ports, input) => {
  const { cluster, now } = ports;
  const { workload: ref, image, execution } = input;
  const workload = await cluster.read(ref);
  if (workload === null) return { kind: "superseded", waitSeconds: 0, reason: "the workload is gone" };
  const claim = claimOf(workload, execution, image);
  const { canary } = workload.policy;
  const refusal =
    workload.inFlight === null ? whyNotApply(workload, image) : claim.kind === "lost" ? claim.reason : null;
  if (refusal !== null || canary === null) {
    return { kind: "superseded", waitSeconds: 0, reason: refusal ?? "pawl.dev/canary was taken away" };
  }
  await cluster.change(workload, recordCanary(workload, targetOf(input), execution, canary, now()));
  await tell(ports, workload, updateStarted(image, execution, canary));
  return { kind: "started", waitSeconds: nextCheckSeconds(0, workload.policy), reason: `a canary runs ${image}` };
};

export const handler = lambda(startCanary);
