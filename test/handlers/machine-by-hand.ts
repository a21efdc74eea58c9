import type { StepInput } from "../../functions/contract.ts";
import { adoptUpdate } from "../../functions/handlers/adopt-update.ts";
import { applyUpdate } from "../../functions/handlers/apply-update.ts";
import { checkReadiness } from "../../functions/handlers/check-readiness.ts";
import { openCircuit } from "../../functions/handlers/open-circuit.ts";
import { recordSuccess } from "../../functions/handlers/record-success.ts";
import { rollBack } from "../../functions/handlers/roll-back.ts";
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

/** The steps in the order of workload-update.asl.json; each is repeated where its Lambda was killed. */
async function runExecution(ports: FakePorts, { name, input }: StartedExecution): Promise<void> {
  const step = { ...input, execution: name };
  const begun = input.recovering
    ? await repeated(() => adoptUpdate(ports, step))
    : await repeated(() => applyUpdate(ports, step));
  if (begun.kind === "superseded") return;
  const executionStartedAt = ports.now().toISOString();
  for (;;) {
    const seen = await repeated(() => checkReadiness(ports, { ...step, executionStartedAt }));
    if (seen.kind === "superseded") return;
    if (seen.kind === "ready") return void (await repeated(() => recordSuccess(ports, step)));
    if (seen.kind === "expired") return giveUp(ports, step, seen.reason);
    ports.pass(seen.waitSeconds);
    await poll(ports);
  }
}

async function giveUp(ports: FakePorts, step: StepInput, reason: string): Promise<void> {
  const { kind } = await repeated(() => rollBack(ports, { ...step, verdict: "expired", reason }));
  if (kind === "tripped") await repeated(() => openCircuit(ports, { ...step, reason }));
}

async function repeated<T>(run: () => Promise<T>): Promise<T> {
  for (;;) {
    const result = await run().catch(unless(Killed));
    if (result !== undefined) return result;
  }
}

function unless(...kinds: readonly (new (message: string) => Error)[]): (error: Error) => undefined {
  return (error) => {
    if (!kinds.some((kind) => error instanceof kind)) throw error;
  };
}
