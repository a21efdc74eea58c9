import type { Ports } from "../../contract/ports.ts";
import type { StepInput, TimedStepResult } from "../../contract/workload-update.ts";
import { isCanaryReplaced } from "../../domain/workload/canary/health.ts";
import { checkClaim, type HeldClaim } from "../../domain/workload/update/claim.ts";
import { nextCheckSeconds } from "../../domain/workload/update/readiness.ts";
import { keepClaim, superseded } from "./wait-result.ts";

const undecided: ReadonlySet<string> = new Set(["ready", "progressing", "waiting"]);

/** Returns how long the canary of a promoted update serves on, before ApplyUpdate removes it; null if there is none to remove. */
export async function scaleDownWait(
  ports: Pick<Ports, "cluster" | "now">,
  { workload, inFlight }: HeldClaim,
  { kind }: { readonly kind: string },
): Promise<TimedStepResult<"scale-down"> | null> {
  if (!undecided.has(kind) || !isCanaryReplaced(workload, inFlight)) return null;
  const hasReplicas = workload.rollout?.desiredReplicas !== 0;
  const waitSeconds = hasReplicas ? workload.policy.scaleDownDelaySeconds : 0;
  await keepClaim(ports, workload, waitSeconds, null);
  const reason = hasReplicas ? "all new pods are available" : "it is scaled to 0";
  return { kind: "scale-down", waitSeconds, reason: `${reason}: the canary is removed in ${waitSeconds} s` };
}

/** Removes the canary of a promoted update if its new pods still replace it. Writes nothing else: the next check follows. */
export async function scaleDownCanary(
  { cluster }: Pick<Ports, "cluster">,
  input: StepInput,
): Promise<TimedStepResult<"applied" | "superseded">> {
  const claim = checkClaim(await cluster.read(input.workload), input.execution, input.target);
  if (claim.kind === "lost") return superseded(claim.reason);
  const { workload, inFlight } = claim;
  const isReplaced = isCanaryReplaced(workload, inFlight);
  if (isReplaced) await cluster.change(workload, { canary: null });
  const reason = isReplaced ? "removed the canary" : "no canary is replaced by new pods that are all available";
  return { kind: "applied", waitSeconds: nextCheckSeconds(0, workload.policy.healthTimeoutSeconds), reason };
}
