import { Conflict } from "../../functions/ports/errors.ts";
import type { TaskInput, TaskOutput, UpdateInput } from "../../functions/contract/workload-update.ts";
import { adoptUpdate } from "../../functions/handlers/adopt-update.ts";
import { analyzeCanary } from "../../functions/handlers/analyze-canary.ts";
import { analyzeRollout } from "../../functions/handlers/analyze-rollout.ts";
import { applyUpdate } from "../../functions/handlers/apply-update.ts";
import { checkCanary } from "../../functions/handlers/check-canary.ts";
import { checkHook } from "../../functions/handlers/check-hook.ts";
import { runHook } from "../../functions/handlers/run-hook.ts";
import { checkRollback } from "../../functions/handlers/check-rollback.ts";
import { checkReadiness } from "../../functions/handlers/check-readiness.ts";
import { openCircuit } from "../../functions/handlers/open-circuit.ts";
import { recordSuccess } from "../../functions/handlers/record-success.ts";
import { restoreRelease } from "../../functions/handlers/restore-release.ts";
import { rollBack } from "../../functions/handlers/roll-back.ts";
import { startCanary } from "../../functions/handlers/start-canary.ts";
import { syncUpdate } from "../../functions/handlers/sync-update.ts";
import { pollCluster } from "../../functions/workflows/poll/poll-cluster.ts";
import type { StartedExecution } from "../support/fakes/fake-executions.ts";
import { type FakePorts, Killed } from "../support/fake-ports.ts";

/** The execution is lost, not only one of its functions. */
export class Lost extends Error {
  override readonly name = "Lost";
}

/** Polls and runs the started executions until there is nothing more to do. Throws after 200 rounds. */
export async function runUntilComplete(ports: FakePorts): Promise<void> {
  for (let round = 0; round < 200; round += 1) {
    const report = await poll(ports);
    const running = ports.executions.running();
    // An update without an execution is not over: the poll could not ask about it.
    const isOver = report?.failed.length === 0 && report.recorded === 0 && report.inFlight === 0;
    if (isOver && running.length === 0 && !passBackOff(ports)) return;
    await runStarted(ports);
  }
  throw new Error("not done after 200 rounds");
}

/** The executions that run now: each waits for those that a poll starts meanwhile. */
const active = new Set<string>();

async function runStarted(ports: FakePorts): Promise<void> {
  for (const execution of ports.executions.running()) {
    if (active.has(execution.name)) continue;
    active.add(execution.name);
    try {
      await runExecution(ports, execution).catch(unless(Lost));
    } finally {
      active.delete(execution.name);
    }
    ports.executions.finish(execution.name);
  }
}

/** Lets time pass, in which a poll may start an execution that supersedes this one. */
async function wait(ports: FakePorts, seconds: number): Promise<void> {
  ports.pass(seconds);
  await poll(ports);
  await runStarted(ports);
}

/** Lets the time pass until the next attempt; false if none is due later. */
function passBackOff(ports: FakePorts): boolean {
  const untilTimes = ports.cluster.all().flatMap(({ backOff }) => (backOff === null ? [] : [backOff.until.getTime()]));
  const waitSeconds = Math.max(0, ...untilTimes.map((time) => (time - ports.now().getTime()) / 1000));
  ports.pass(waitSeconds);
  return waitSeconds > 0;
}

async function poll(ports: FakePorts) {
  return pollCluster(ports).catch(unless(Lost, Killed));
}

/** The steps in the order of workload-update.asl.yaml; each is repeated if its function was killed or had a conflict. */
async function runExecution(ports: FakePorts, { name, input }: StartedExecution<UpdateInput>): Promise<void> {
  const step = { ...input, execution: name, executionStartedAt: ports.now().toISOString() };
  const strategy = await begin(ports, step);
  if (strategy === "superseded" || strategy === "ended") return;
  if (strategy === "abort") return rollBackExpired(ports, step, { kind: "abort", reason: "its execution was stopped" });
  if (strategy === "rollout") return watchRollout(ports, step);
  const end = await watchCanary(ports, step);
  if (end.kind === "superseded") return;
  if (end.kind !== "pass") return rollBackExpired(ports, step, end);
  const applied = await repeated(() => applyUpdate(ports, step));
  if (applied.kind === "applied") await watchRollout(ports, step);
}

type Step = TaskInput<"CheckReadiness">;

type Begun = "superseded" | "abort" | "canary" | "rollout" | "ended";

async function begin(ports: FakePorts, step: Step): Promise<Begun> {
  if (step.strategy === "release") {
    const result = await repeated(() => restoreRelease(ports, step));
    if (result.kind === "applied") return "rollout";
    if (result.kind === "hook") return afterHook(ports, step);
    if (result.kind !== "superseded") await rollBackExpired(ports, step, result);
    return "superseded";
  }
  if (step.adopting) {
    const { kind } = await repeated(() => adoptUpdate(ports, step));
    if (kind === "hook") return afterHook(ports, step);
    if (kind === "sync") return watchSync(ports, step);
    return kind === "adopted" ? "rollout" : kind;
  }
  return start(ports, step);
}

async function start(ports: FakePorts, step: Step): Promise<Begun> {
  const { kind } = await repeated<{ readonly kind: string }>(() =>
    step.strategy === "canary" ? startCanary(ports, step) : applyUpdate(ports, step),
  );
  if (kind === "superseded") return kind;
  if (kind === "hook") return afterHook(ports, step);
  if (kind === "sync") return watchSync(ports, step);
  return step.strategy === "canary" ? "canary" : "rollout";
}

/** Runs SyncUpdate until the workload has the image that git names. A rollback ends with it. */
async function watchSync(ports: FakePorts, step: Step, reason = "it was adopted"): Promise<Begun> {
  for (;;) {
    await wait(ports, 30);
    const result = await repeated(() => syncUpdate(ports, step));
    if (result.kind === "progressing") continue;
    if (result.kind === "synced") return begin(ports, { ...step, adopting: true });
    if (result.kind === "restored") await watchRollback(ports, { ...step, reason });
    if (result.kind === "refused" || result.kind === "abort") await rollBackExpired(ports, step, result);
    return "ended";
  }
}

/** Runs RunHook, then CheckHook until the Job has ended, and continues the update. */
async function afterHook(ports: FakePorts, step: Step): Promise<Begun> {
  const { kind } = await watchHook(ports, step);
  if (kind === "apply" || kind === "canary") return start(ports, step);
  if (kind === "restore") return begin(ports, step);
  if (kind === "abort") return "abort";
  if (kind === "tripped") await repeated(() => openCircuit(ports, { ...step, reason: "the hook failed" }));
  return "ended";
}

async function watchHook(ports: FakePorts, step: Step): Promise<TaskOutput<"CheckHook">> {
  let result = await repeated(() => runHook(ports, step));
  while (result.kind === "progressing") {
    ports.pass(result.waitSeconds);
    await poll(ports);
    result = await repeated(() => checkHook(ports, step));
  }
  return result;
}

/** Runs RecordSuccess, and the hook for which it waits. */
async function succeed(ports: FakePorts, step: TaskInput<"RecordSuccess"> & Step): Promise<void> {
  const { kind } = await repeated(() => recordSuccess(ports, step));
  if (kind !== "hook") return;
  const hook = await watchHook(ports, step);
  if (hook.kind === "record") return watchRollout(ports, step);
  if (hook.kind === "expired" || hook.kind === "abort") await rollBackExpired(ports, step, hook);
}

/** Runs CheckCanary until the canary is ready, then AnalyzeCanary until there is a verdict; again for each step. */
async function watchCanary(ports: FakePorts, step: Step): Promise<{ readonly kind: string; readonly reason: string }> {
  let isReady = false;
  for (;;) {
    const result = await repeated<{ readonly kind: string; readonly reason: string; readonly waitSeconds: number }>(
      () => (isReady ? analyzeCanary(ports, step) : checkCanary(ports, step)),
    );
    if (result.kind === "promoted") return { ...result, kind: "pass" };
    if (result.kind === "next") {
      const started = await repeated(() => startCanary(ports, step));
      if (started.kind === "superseded") return started;
      isReady = false;
      continue;
    }
    if (result.kind === "progressing" || result.kind === "running") {
      await wait(ports, result.waitSeconds);
    } else if (isReady || result.kind !== "ready") return result;
    isReady ||= result.kind === "ready";
  }
}

async function watchRollout(ports: FakePorts, step: Step): Promise<void> {
  for (;;) {
    const result = await repeated(() => checkReadiness(ports, step));
    if (result.kind === "superseded") return;
    if (result.kind === "ready") return succeed(ports, step);
    if (result.kind === "bake") return watchBake(ports, step);
    if (result.kind === "expired") return rollBackExpired(ports, step, result);
    await wait(ports, result.waitSeconds);
    if (result.kind !== "scale-down") continue;
    const applied = await repeated(() => applyUpdate(ports, { ...step, step: "scale-down" }));
    if (applied.kind === "superseded") return;
  }
}

/** Runs AnalyzeRollout until there is a verdict. */
async function watchBake(ports: FakePorts, step: Step): Promise<void> {
  for (;;) {
    const result = await repeated(() => analyzeRollout(ports, step));
    const { kind: verdict, reason } = result;
    if (verdict === "superseded") return;
    if (verdict === "pass" || verdict === "unknown") return succeed(ports, { ...step, verdict, reason });
    if (verdict === "fail") return rollBackExpired(ports, step, result);
    ports.pass(result.waitSeconds);
    await poll(ports);
  }
}

async function rollBackExpired(
  ports: FakePorts,
  step: Step,
  { kind: verdict, reason }: { readonly kind: string; readonly reason: string },
): Promise<void> {
  const { kind } = await repeated(() => rollBack(ports, { ...step, verdict, reason }));
  if (kind === "restore" && (await begin(ports, step)) === "rollout") return watchRollout(ports, step);
  if (kind === "sync") await watchSync(ports, step, reason);
  if (kind === "reverting") await watchRollback(ports, { ...step, reason });
}

async function watchRollback(ports: FakePorts, step: TaskInput<"CheckRollback">): Promise<void> {
  for (;;) {
    const { kind, waitSeconds, reason } = await repeated(() => checkRollback(ports, step));
    if (kind === "circuit-tripped") await repeated(() => openCircuit(ports, { ...step, reason }));
    if (kind !== "progressing") return;
    ports.pass(waitSeconds);
    await poll(ports);
  }
}

/** Runs a function until it completes: it is repeated if it was killed or had a conflict. */
export async function repeated<T>(run: () => Promise<T>): Promise<T> {
  for (;;) {
    const result = await run().catch(unless(Killed, Conflict));
    if (result !== undefined) return result;
  }
}

export function unless(...kinds: readonly (new (message: string) => Error)[]): (error: Error) => undefined {
  return (error) => {
    if (!kinds.some((kind) => error instanceof kind)) throw error;
  };
}
