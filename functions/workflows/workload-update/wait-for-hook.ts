import type { StepInput } from "../../contract/workload-update.ts";
import { recordCanary } from "../../domain/workload/canary/record.ts";
import type { HeldClaim } from "../../domain/workload/update/claim.ts";
import {
  claimForHook,
  isPreHookUnknown,
  pendingPreHook,
  pendingPromotionHook,
  withHook,
} from "../../domain/workload/hook/run-hook.ts";
import { recordStart } from "../../domain/workload/record/update-record.ts";
import type { Workload } from "../../domain/workload/workload.ts";
import { readCanaryStart, readStart, type UpdatePorts } from "./start-update.ts";

interface HookWait {
  readonly waitSeconds: number;
  readonly reason: string;
}

/** Claims the workload for an update that begins with a hook, and changes nothing else of it. Returns null if no hook is pending. */
export async function waitForPreHook(
  { cluster, now }: UpdatePorts,
  workload: Workload,
  input: StepInput,
): Promise<HookWait | null> {
  if (isPreHookUnknown(workload, workload.inFlight)) return invalidPreHook;
  const hook = pendingPreHook(workload, input.target, workload.inFlight);
  if (hook === null) return null;
  const { canary } = workload.policy;
  const started =
    input.strategy === "canary" && canary !== null
      ? recordCanary(workload, readCanaryStart(input), input.execution, canary, now())
      : recordStart(workload, readStart(input), input.execution, now());
  await cluster.change(workload, claimForHook(started, hook, now()));
  return { waitSeconds: 0, reason: `waits for the pre hook ${hook.job}` };
}

/**
 * Records that a canary that passed waits for the hook before its promotion. A repeated step finds it recorded. Returns null if no hook
 * is pending.
 */
export async function waitForPromotionHook(
  { cluster, now }: UpdatePorts,
  { workload, inFlight }: HeldClaim,
): Promise<HookWait | null> {
  const hook = pendingPromotionHook(workload, inFlight);
  if (hook === null) return isPreHookUnknown(workload, inFlight) ? invalidPreHook : null;
  const waiting = withHook(inFlight, "pre-promotion", hook, now());
  if (waiting !== inFlight) await cluster.change(workload, { inFlight: waiting });
  return { waitSeconds: 0, reason: `waits for the pre-promotion hook ${hook.job}` };
}

const invalidPreHook: HookWait = { waitSeconds: 0, reason: "its pre hook is invalid" };
