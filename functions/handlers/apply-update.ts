import { begin, promote } from "../applying.ts";
import { claimOf } from "../domain/claim.ts";
import { nextCheckSeconds } from "../domain/readiness.ts";
import { whyNot } from "../domain/why-not-apply.ts";
import { targetOf } from "../target-of.ts";
import { lambda, type Task } from "../task.ts";

/** Claims the workload and makes all replicas follow: of the image, or of what stands behind its tag now. */
export const applyUpdate: Task<"ApplyUpdate"> = async (ports, input) => {
  const { workload: ref, image, execution, strategy } = input;
  const target = targetOf(input);
  const workload = await ports.cluster.read(ref);
  const claim = claimOf(workload, execution, image);
  if (workload === null) return { kind: "superseded", waitSeconds: 0, reason: "the workload is gone" };
  const isFresh = workload.inFlight === null && strategy !== "canary";
  const refusal = claim.kind === "held" ? null : isFresh ? whyNot(workload, target, ports.now()) : claim.reason;
  if (refusal !== null) return { kind: "superseded", waitSeconds: 0, reason: refusal };
  const isToPromote = claim.kind === "held" && strategy === "canary";
  const reason = isToPromote ? await promote(ports, claim, execution) : await begin(ports, workload, target, execution);
  return { kind: "applied", waitSeconds: nextCheckSeconds(0, workload.policy), reason };
};

export const handler = lambda(applyUpdate);
