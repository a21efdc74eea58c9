import type { Ports } from "../../contract/ports.ts";
import type { TaskInput } from "../../contract/workload-update.ts";
import type { HeldClaim } from "../../domain/workload/claim.ts";
import { describeHookEnd } from "../../domain/workload/hook/assess-hook.ts";
import { pendingPostHook, withHook } from "../../domain/workload/hook/run-hook.ts";
import type { InFlight } from "../../domain/workload/workload.ts";

/** Records that a healthy update waits for its post hook, and returns that as a sentence; null if there is none to wait for. */
export async function waitForPostHook(
  { cluster, now }: Pick<Ports, "cluster" | "now">,
  { workload, inFlight }: HeldClaim,
): Promise<string | null> {
  const hook = pendingPostHook(workload, inFlight);
  if (hook === null) return null;
  await cluster.change(workload, { inFlight: withHook(inFlight, "post", hook, now()) });
  return `waits for the post hook ${hook.job}`;
}

/** Returns what is not known of an update that is recorded as healthy: what its bake time did not measure, and its post hook. */
export function unknownReason(
  inFlight: InFlight | null,
  { verdict, reason }: Pick<TaskInput<"RecordSuccess">, "verdict" | "reason">,
): string | null {
  const run = inFlight?.hook?.stage === "post" ? inFlight.hook : null;
  const hasFailed = run !== null && run.result !== null && run.result !== "succeeded";
  const unknown = [
    ...(verdict === "unknown" && reason !== undefined ? [reason] : []),
    ...(hasFailed ? [describeHookEnd(run, run.result, run.reason ?? "")] : []),
  ];
  return unknown.length === 0 ? null : unknown.join("; ");
}
