import type { Change } from "../update/change.ts";
import type { Started } from "../record/update-record.ts";
import type { InFlight } from "../update/in-flight.ts";
import type { Workload } from "../workload.ts";
import type { Target } from "../target/target.ts";
import { type Hook, type HookResult, type HookRun, type HookStage, runsFor } from "./hook.ts";

/**
 * Returns the hook that has to succeed before an update changes its workload; null if there is none, or it has. An update that is
 * claimed already began with the hooks of that time.
 */
export function pendingPreHook(
  { policy: { hooks } }: Pick<Workload, "policy">,
  target: Target,
  claimed: InFlight | null,
): Hook | null {
  const isPending = claimed === null || isPreHookPending(claimed);
  return isPending && runsFor(hooks.pre, target) ? hooks.pre : null;
}

/** Reports whether an update must wait because a setting became invalid: whether it still has the hook before it is not known. */
export function isPreHookUnknown(
  { policy, problems }: Pick<Workload, "policy" | "problems">,
  claimed: InFlight | null,
): boolean {
  return claimed !== null && policy.hooks.pre === null && problems.length > 0 && isPreHookPending(claimed);
}

/** Reports whether an update waits for the hook before it: nothing is applied. */
export function isPreHookPending({ hook, isApplied, phase }: InFlight): boolean {
  return isApplied === false && phase !== "rollback" && hook?.stage === "pre" && hook.result === null;
}

/** Returns the hook that has to succeed before a canary that passed is promoted; null if there is none, or it has. */
export function pendingPromotionHook({ policy }: Pick<Workload, "policy">, { hook, phase }: InFlight): Hook | null {
  const hasSucceeded = hook?.stage === "pre-promotion" && hook.result === "succeeded";
  return phase !== "canary" || hasSucceeded ? null : (policy.hooks["pre-promotion"] ?? null);
}

/** Returns the hook that has to end before an update is recorded as healthy; null if there is none, or it has. */
export function pendingPostHook({ policy }: Pick<Workload, "policy">, { hook, phase, target }: InFlight): Hook | null {
  const { post } = policy.hooks;
  if (phase === "rollback" || !runsFor(post, target)) return null;
  const result = hook?.stage === "post" ? hook.result : null;
  const isOver = result !== null && !rollsBackAfter(post, result);
  return isOver ? null : post;
}

/** Reports whether a hook after an update that ended like this rolls it back. */
export function rollsBackAfter({ rollsBack, rollsBackUnknown = false }: Hook, result: HookResult): boolean {
  return (result === "failed" && rollsBack) || (result === "unknown" && rollsBackUnknown);
}

/** Returns the claim of an update that begins with a hook: nothing of the workload is changed. */
export function claimForHook(start: Started, hook: Hook, now: Date): Change {
  const { image: _image, restart: _restart, canary: _canary, template: _template, pins: _pins, ...claimed } = start;
  const { written: _written, ...claim } = claimed;
  return { ...claim, inFlight: { ...withHook(start.inFlight, "pre", hook, now), isApplied: false } };
}

/** Returns the update after a hook has begun. Repeated, and by an execution that adopts it, it is the same. */
export function withHook(inFlight: InFlight, stage: HookStage, { job }: Hook, startedAt: Date): InFlight {
  if (inFlight.hook?.stage === stage) return inFlight;
  const hook: HookRun = { stage, job, startedAt, result: null };
  return { ...inFlight, hook };
}
