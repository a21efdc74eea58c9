import { describeHookEnd } from "../hook/assess-hook.ts";
import type { ContainerDigest } from "../digest/tracking.ts";
import type { InFlight } from "../update/in-flight.ts";
import { ranImage } from "./ran-image.ts";

/**
 * Returns what is recorded with a healthy update: what its bake time did not measure, how its post hook failed, its frozen pods, and that its
 * pods run another digest than was chosen. null
 * if there is nothing to say.
 */
export function successNote(
  inFlight: InFlight | null,
  { verdict, reason }: { readonly verdict?: string; readonly reason?: string },
  frozen: string | null,
  running: readonly ContainerDigest[] = [],
): string | null {
  const run = inFlight?.hook?.stage === "post" ? inFlight.hook : null;
  const hasFailed = run !== null && run.result !== null && run.result !== "succeeded";
  const parts = [
    verdict === "unknown" && reason !== undefined ? reason : null,
    hasFailed ? describeHookEnd(run, run.result, run.reason ?? "") : null,
    frozen,
    inFlight && ranImage(inFlight.target, running).note,
  ];
  return parts.filter((part) => part !== null).join("; ") || null;
}
