import { abortedReason } from "../update/decided-update.ts";
import { withheldReason } from "../update/claim.ts";
import type { InFlight } from "../update/in-flight.ts";
import type { Workload } from "../workload.ts";
import { describeHookEnd } from "./assess-hook.ts";
import type { Hook, HookResult, HookRun } from "./hook.ts";
import { rollsBackAfter } from "./run-hook.ts";
import { describeProblems } from "../policy/problem.ts";

/** What follows a hook. "expired", "no-result" and "abort" roll the update back. */
type Next = "apply" | "restore" | "canary" | "record" | "expired" | "no-result" | "abort";

export type PendingHook =
  | { readonly kind: "run"; readonly run: HookRun; readonly hook: Hook }
  /** A setting is invalid, so that it is not known what its owner wants. */
  | { readonly kind: "wait"; readonly reason: string }
  | { readonly kind: "over"; readonly next: Next; readonly reason: string };

/** Returns whether the hook of an update in flight has to run, or else what follows it. One that its owner removed is over. */
export function assessPendingHook(workload: Workload, inFlight: InFlight): PendingHook {
  const { policy, problems, verdict } = workload;
  const { hook: run } = inFlight;
  const withheld = withheldReason(workload, inFlight);
  if (withheld !== null) return { kind: "over", next: "abort", reason: withheld };
  if (run?.stage === "pre-promotion" && policy.optIn === "no")
    return { kind: "over", next: "abort", reason: "auto-update was disabled" };
  if (verdict === "abort") return { kind: "over", next: "abort", reason: abortedReason };
  if (run === undefined) return { kind: "over", next: nextAfter(inFlight, "succeeded"), reason: "no hook was begun" };
  const hook = policy.hooks[run.stage] ?? null;
  if (run.result !== null) {
    const next = nextAfter(inFlight, run.result, hook);
    return { kind: "over", next, reason: describeHookEnd(run, run.result, run.reason ?? "") };
  }
  if (problems.length > 0)
    return { kind: "wait", reason: `not continued until it is fixed: ${describeProblems(problems)}` };
  if (hook === null) return { kind: "over", next: nextAfter(inFlight, "succeeded"), reason: "the hook was removed" };
  return { kind: "run", run, hook };
}

/** A hook after the update that succeeded rolls nothing back. */
const notPassed = { succeeded: "apply", failed: "expired", unknown: "no-result" } as const satisfies Record<
  HookResult,
  Next
>;

/** Returns what follows a hook that ended. A hook before the update that did not succeed ends it instead. */
export function nextAfter({ phase, hook: run }: InFlight, result: HookResult, hook: Hook | null = null): Next {
  if (run?.stage === "post") return hook !== null && rollsBackAfter(hook, result) ? notPassed[result] : "record";
  if (run?.stage === "pre-promotion") return notPassed[result];
  if (phase === "release") return "restore";
  return phase === "canary" ? "canary" : "apply";
}
