import { Conflict } from "../../functions/adapters/errors.ts";
import type { StepInput, TaskInput, UpdateInput } from "../../functions/contract.ts";
import { adoptUpdate } from "../../functions/handlers/adopt-update.ts";
import { analyzeCanary } from "../../functions/handlers/analyze-canary.ts";
import { applyUpdate } from "../../functions/handlers/apply-update.ts";
import { checkCanary } from "../../functions/handlers/check-canary.ts";
import { checkReadiness } from "../../functions/handlers/check-readiness.ts";
import { openCircuit } from "../../functions/handlers/open-circuit.ts";
import { recordSuccess } from "../../functions/handlers/record-success.ts";
import { rollBack } from "../../functions/handlers/roll-back.ts";
import { startCanary } from "../../functions/handlers/start-canary.ts";
import { pollCluster } from "../../functions/polling/poll-cluster.ts";
import type { StartedExecution } from "../support/fake-executions.ts";
import { type FakePorts, Killed } from "../support/fake-ports.ts";

/** The whole execution is gone, not only one of its Lambdas. */
export class Lost extends Error {
  override readonly name = "Lost";
}

/** Polls and runs what was started, until there is nothing more to do. Throws where that does not come to an end. */
export async function runToTheEnd(ports: FakePorts): Promise<void> {
  for (let round = 0; round < 200; round += 1) {
    const isQuiet = await poll(ports);
    const running = ports.executions.running();
    if (isQuiet && running.length === 0) return;
    for (const execution of running) {
      await runExecution(ports, execution).catch(unless(Lost));
      ports.executions.finish(execution.name);
    }
  }
  throw new Error("it does not come to an end");
}

async function poll(ports: FakePorts): Promise<boolean> {
  const report = await pollCluster(ports).catch(unless(Lost, Killed));
  return report !== undefined && report.failed.length === 0 && report.recorded === 0;
}

/** The steps in the order of workload-update.asl.json; each is repeated where its Lambda was killed or came too late. */
async function runExecution(ports: FakePorts, { name, input }: StartedExecution<UpdateInput>): Promise<void> {
  const step = { ...input, execution: name, executionStartedAt: ports.now().toISOString() };
  const begun = await begin(ports, step);
  if (begun === "superseded") return;
  if (begun === "abort") return giveUp(ports, step, { kind: "abort", reason: "its execution was stopped" });
  if (begun === "rollout") return watchRollout(ports, step);
  const end = await watchCanary(ports, step);
  if (end.kind === "superseded") return;
  if (end.kind !== "pass") return giveUp(ports, step, end);
  const applied = await repeated(() => applyUpdate(ports, step));
  if (applied.kind === "applied") await watchRollout(ports, step);
}

type Step = TaskInput<"CheckReadiness">;

async function begin(ports: FakePorts, step: Step): Promise<"superseded" | "abort" | "canary" | "rollout"> {
  if (step.recovering) {
    const { kind } = await repeated(() => adoptUpdate(ports, step));
    return kind === "adopted" ? "rollout" : kind;
  }
  const { kind } = await repeated<{ readonly kind: string }>(() =>
    step.strategy === "canary" ? startCanary(ports, step) : applyUpdate(ports, step),
  );
  if (kind === "superseded") return kind;
  return step.strategy === "canary" ? "canary" : "rollout";
}

/** CheckCanary until the canary stands, then AnalyzeCanary until there is a verdict. */
async function watchCanary(ports: FakePorts, step: Step): Promise<{ readonly kind: string; readonly reason: string }> {
  let isReady = false;
  for (;;) {
    const seen = await repeated<{ readonly kind: string; readonly reason: string; readonly waitSeconds: number }>(() =>
      isReady ? analyzeCanary(ports, step) : checkCanary(ports, step),
    );
    if (seen.kind === "promoted") return { ...seen, kind: "pass" };
    if (seen.kind === "progressing" || seen.kind === "running") {
      ports.pass(seen.waitSeconds);
      await poll(ports);
    } else if (isReady || seen.kind !== "ready") return seen;
    isReady ||= seen.kind === "ready";
  }
}

async function watchRollout(ports: FakePorts, step: Step): Promise<void> {
  for (;;) {
    const seen = await repeated(() => checkReadiness(ports, step));
    if (seen.kind === "superseded") return;
    if (seen.kind === "ready") return void (await repeated(() => recordSuccess(ports, step)));
    if (seen.kind === "expired") return giveUp(ports, step, seen);
    ports.pass(seen.waitSeconds);
    await poll(ports);
  }
}

async function giveUp(
  ports: FakePorts,
  step: StepInput,
  { kind: verdict, reason }: { readonly kind: string; readonly reason: string },
): Promise<void> {
  const { kind } = await repeated(() => rollBack(ports, { ...step, verdict, reason }));
  if (kind === "tripped") await repeated(() => openCircuit(ports, { ...step, reason }));
}

/** Runs a Lambda until it comes to its end: one that was killed, or came too late, is run again. */
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
