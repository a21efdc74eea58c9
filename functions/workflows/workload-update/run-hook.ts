import type { Ports } from "../../contract/ports.ts";
import type { StepInput, TaskOutput } from "../../contract/workload-update.ts";
import { checkClaim, type HeldClaim } from "../../domain/workload/claim.ts";
import { isOutcomeRecorded, recordedAttempt } from "../../domain/workload/completion.ts";
import { hookEvent } from "../../domain/workload/hook/hook-event.ts";
import { assessHook, describeHookEnd, type HookVerdict } from "../../domain/workload/hook/assess-hook.ts";
import type { HookJob } from "../../domain/workload/hook/hook.ts";
import { assessPendingHook, nextAfter, type PendingHook } from "../../domain/workload/hook/pending-hook.ts";
import { recordHookEnd, recordHookFailure } from "../../domain/workload/hook/record-hook.ts";
import { recentEndEvents } from "../../domain/workload/lost-events.ts";
import { emitEvent, restoreEvents } from "../emit-events.ts";
import { hookJobOf } from "./hook-job.ts";
import { waitResult } from "./wait-result.ts";

type Output = TaskOutput<"CheckHook">;
type HookPorts = Pick<Ports, "cluster" | "events" | "now">;
type HookInput = Pick<StepInput, "image" | "execution"> & { readonly executionStartedAt: string };
type Running = Extract<PendingHook, { readonly kind: "run" }>;
type Ended = Extract<HookVerdict, { readonly kind: "ended" }>;

/** Reads the claim of an update that waits for a hook. A repeated step finds that the hook before the update has ended it. */
export async function readHookClaim(
  ports: HookPorts,
  input: HookInput & Pick<StepInput, "workload">,
): Promise<HeldClaim | Output> {
  const workload = await ports.cluster.read(input.workload);
  const claim = checkClaim(workload, input.execution, input.image);
  if (claim.kind === "held") return claim;
  const ended = workload === null ? null : recordedAttempt(workload, input.image);
  if (
    workload === null ||
    ended?.execution !== input.execution ||
    !isOutcomeRecorded(workload, input.image, "HookFailed")
  )
    return { kind: "superseded", waitSeconds: 0, reason: claim.reason };
  await restoreEvents(ports, workload, recentEndEvents(workload, ports.now()));
  return { kind: workload.updateRecord.circuitOpen ? "tripped" : "failed", waitSeconds: 0, reason: ended.reason };
}

/** Creates the Job of the hook that an update waits for, unless it exists. */
export function startHook(ports: HookPorts, claim: HeldClaim, input: HookInput): Promise<Output> {
  return withHookJob(ports, claim, input, async ({ run, hook }) => {
    const refusal = await ports.cluster.startHook(claim.workload, hookJobOf(claim, run, hook));
    return refusal === null ? { kind: "running", createdAt: ports.now() } : { kind: "missing", reason: refusal };
  });
}

/** Checks the Job of the hook that an update waits for, and records how it ended. */
export function checkHookJob(ports: HookPorts, claim: HeldClaim, input: HookInput): Promise<Output> {
  return withHookJob(ports, claim, input, ({ run, hook }) =>
    ports.cluster.readHook(claim.workload, hookJobOf(claim, run, hook)),
  );
}

async function withHookJob(
  ports: HookPorts,
  claim: HeldClaim,
  input: HookInput,
  observe: (running: Running) => Promise<HookJob>,
): Promise<Output> {
  const { workload, inFlight } = claim;
  const pending = assessPendingHook(workload, inFlight);
  if (pending.kind === "over") return { kind: pending.next, waitSeconds: 0, reason: pending.reason };
  if (pending.kind === "wait")
    return waitResult(ports, workload, { ...pending, waitSeconds: ownerRetrySeconds }, input.executionStartedAt);
  const { run, hook } = pending;
  const verdict = assessHook(await observe(pending), hook, workload.policy, ports.now());
  if (verdict.kind === "ended") return endHook(ports, claim, pending, verdict, input);
  const reason = `the ${run.stage} hook ${run.job} runs as Job ${hookJobOf(claim, run, hook).name}`;
  return waitResult(ports, workload, { ...verdict, reason }, input.executionStartedAt);
}

/** What its owner has to fix applies after at most this time. */
const ownerRetrySeconds = 60;

/** Records how a hook ended before it is reported: a repeated step finds it. */
async function endHook(
  ports: HookPorts,
  { workload, inFlight }: HeldClaim,
  { run, hook }: Running,
  { result, reason, log }: Ended,
  { image, execution }: HookInput,
): Promise<Output> {
  const outcome = describeHookEnd(run, result, reason);
  const event = hookEvent(image, execution, run.stage, { isSuccess: result === "succeeded", outcome, log });
  const logged = [outcome, ...log].join("\n");
  if (run.stage === "pre" && result !== "succeeded") {
    const change = recordHookFailure(workload, inFlight, result, outcome, ports.now());
    await ports.cluster.change(workload, change);
    await emitEvent(ports, workload, event);
    return { kind: change.updateRecord?.circuitOpen ? "tripped" : "failed", waitSeconds: 0, reason: logged };
  }
  await emitEvent(ports, workload, event);
  await ports.cluster.change(workload, recordHookEnd(inFlight, run, result, reason));
  return { kind: nextAfter(inFlight, result, hook), waitSeconds: 0, reason: logged };
}
