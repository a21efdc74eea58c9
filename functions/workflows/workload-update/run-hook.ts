import type { Ports } from "../../contract/ports.ts";
import type { StepInput, TaskOutput } from "../../contract/workload-update.ts";
import { checkClaim, type HeldClaim } from "../../domain/workload/update/claim.ts";
import { isOutcomeRecorded, recordedAttempt } from "../../domain/workload/update/completion.ts";
import { hookEvent } from "../../domain/workload/hook/hook-event.ts";
import { assessHook, describeHookEnd, type HookVerdict } from "../../domain/workload/hook/assess-hook.ts";
import type { Change } from "../../domain/workload/update/change.ts";
import type { HookJob, HookRun } from "../../domain/workload/hook/hook.ts";
import type { InFlight } from "../../domain/workload/update/in-flight.ts";
import { assessPendingHook, nextAfter, type PendingHook } from "../../domain/workload/hook/pending-hook.ts";
import { recordHookEnd, recordHookFailure } from "../../domain/workload/hook/record-hook.ts";
import { mayOpenCircuit, recentEndEvents } from "../../domain/workload/event/lost-events.ts";
import { emitEvent, restoreEvents } from "../emit-events.ts";
import { hookJobOf } from "./hook-job.ts";
import { waitResult } from "./wait-result.ts";

type Output = TaskOutput<"CheckHook">;
type HookPorts = Pick<Ports, "cluster" | "events" | "now">;
type HookInput = Pick<StepInput, "target" | "execution"> & { readonly executionStartedAt: string };
type Running = Extract<PendingHook, { readonly kind: "run" }>;
type Ended = Extract<HookVerdict, { readonly kind: "ended" }>;

/** Reads the claim of an update that waits for a hook. A repeated step finds that the hook before the update has ended it. */
export async function readHookClaim(
  ports: HookPorts,
  input: HookInput & Pick<StepInput, "workload">,
): Promise<HeldClaim | Output> {
  const workload = await ports.cluster.read(input.workload);
  const claim = checkClaim(workload, input.execution, input.target);
  if (claim.kind === "held") return claim;
  const ended = workload === null ? null : recordedAttempt(workload, input.target);
  if (
    workload === null ||
    ended?.execution !== input.execution ||
    !isOutcomeRecorded(workload, input.target, "HookFailed")
  )
    return { kind: "superseded", waitSeconds: 0, reason: claim.reason };
  await restoreEvents(ports, workload, recentEndEvents(workload, ports.now()));
  const { circuitOpen, versionHistory } = workload.updateRecord;
  const isOpened = circuitOpen && versionHistory.slice(-1).some(mayOpenCircuit);
  return { kind: isOpened ? "tripped" : "failed", waitSeconds: 0, reason: ended.reason };
}

/** Creates the Job of the hook that an update waits for, unless it exists. */
export function startHook(ports: HookPorts, claim: HeldClaim, input: HookInput): Promise<Output> {
  return withHookJob(ports, claim, input, (running) => createJob(ports, claim, running));
}

/** Checks the Job of the hook that an update waits for, and records how it ended. Creates it if it had to wait for another one. */
export function checkHookJob(ports: HookPorts, claim: HeldClaim, input: HookInput): Promise<Output> {
  return withHookJob(ports, claim, input, ({ run, hook, ...running }) =>
    run.jobUid === undefined
      ? createJob(ports, claim, { run, hook, ...running })
      : ports.cluster.readHook(claim.workload, hookJobOf(claim, run, hook)),
  );
}

const notStarted = { kind: "waiting", reason: "it was just created", log: [] } as const;

async function createJob({ cluster, now }: HookPorts, claim: HeldClaim, { run, hook }: Running): Promise<HookJob> {
  const start = await cluster.startHook(claim.workload, hookJobOf(claim, run, hook));
  if (start.kind === "refused") return { kind: "missing", reason: start.reason };
  if (start.kind === "waiting") return { ...start, since: run.startedAt };
  return { kind: "running", uid: start.uid, createdAt: now(), progress: notStarted };
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
  const job = await observe(pending);
  const verdict = assessHook(job, hook, ports.now());
  if (verdict.kind === "ended") return endHook(ports, claim, pending, verdict, input);
  const what = job.kind === "waiting" ? job.reason : `runs as Job ${hookJobOf(claim, run, hook).name}`;
  const reason = `the ${run.stage} hook ${run.job} ${what}`;
  return waitResult(ports, workload, { ...verdict, reason }, input.executionStartedAt, jobChange(inFlight, run, job));
}

/** Returns the change that records which Job is that of the hook; null if it is recorded. */
function jobChange(inFlight: InFlight, hook: HookRun, job: HookJob): Change | null {
  if (job.kind !== "running" || job.uid === hook.jobUid) return null;
  return { inFlight: { ...inFlight, hook: { ...hook, jobUid: job.uid } } };
}

/** What its owner has to fix applies after at most this time. */
const ownerRetrySeconds = 60;

/** Records how a hook ended before it is reported: a repeated step finds it. */
async function endHook(
  ports: HookPorts,
  claim: HeldClaim,
  { run, hook }: Running,
  { result, reason, isLate = false, ...ended }: Ended,
  { target, execution }: HookInput,
): Promise<Output> {
  const { workload, inFlight } = claim;
  const log = hook.showsLog ? ended.log : [];
  if (isLate) await ports.cluster.stopHook(workload, hookJobOf(claim, run, hook));
  const outcome = describeHookEnd(run, result, reason);
  const event = hookEvent(target, execution, run.stage, { isSuccess: result === "succeeded", outcome, log });
  const logged = [outcome, ...log].join("\n");
  if (run.stage === "pre" && result !== "succeeded") {
    const change = recordHookFailure(workload, inFlight, result, outcome, ports.now());
    await ports.cluster.change(workload, change);
    await emitEvent(ports, workload, event);
    return { kind: change.updateRecord?.circuitOpen ? "tripped" : "failed", waitSeconds: 0, reason: logged };
  }
  await emitEvent(ports, workload, event);
  const end = { result, ...(result === "succeeded" ? {} : { reason }) };
  await ports.cluster.change(workload, recordHookEnd(workload, inFlight, run, end, ports.now()));
  return { kind: nextAfter(inFlight, result, hook), waitSeconds: 0, reason: logged };
}
