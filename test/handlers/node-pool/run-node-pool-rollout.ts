import { claimPool } from "../../../functions/handlers/claim-pool.ts";
import { drainNodes } from "../../../functions/handlers/drain-nodes.ts";
import { continuePoolAsNew } from "../../../functions/handlers/continue-pool-as-new.ts";
import { releasePool } from "../../../functions/handlers/release-pool.ts";
import { runCommands } from "../../../functions/handlers/run-commands.ts";
import { reconcileNodes } from "../../../functions/handlers/reconcile-nodes.ts";
import type { PoolInput, RoundResult } from "../../../functions/contract/node-pool-rollout.ts";
import type { PoolsReport } from "../../../functions/workflows/poll/report.ts";
import { pollCluster } from "../../../functions/workflows/poll/poll-cluster.ts";
import type { StartedExecution } from "../../support/fakes/fake-executions.ts";
import { type FakePorts, Killed } from "../../support/fake-ports.ts";
import { Lost, repeated, unless } from "../run-workload-update.ts";

/** Polls and runs the started executions until no work is left. Calls `meanwhile` at every wait. */
export async function runUntilComplete(ports: FakePorts, meanwhile: () => void): Promise<void> {
  for (let round = 0; round < 200; round += 1) {
    const report = await pollCluster(ports).catch(unless(Lost, Killed));
    const running = ports.poolExecutions.running();
    if (report !== undefined && isIdle(report.pools) && running.length === 0) return;
    for (const execution of running) {
      await runExecution(ports, execution, meanwhile).catch(unless(Lost));
      ports.poolExecutions.finish(execution.name);
    }
    ports.pass(60);
    meanwhile();
  }
  throw new Error("the rollout does not complete");
}

/** A pool that is in flight without an execution is not done: the poll could not ask about it. */
function isIdle({ failed, recorded, inFlight }: PoolsReport): boolean {
  return failed.length === 0 && recorded === 0 && inFlight === 0;
}

/** Runs the Tasks in the order of node-pool-rollout.asl.yaml. Repeats a Task if its Lambda was killed or lost a conflict. */
async function runExecution(
  ports: FakePorts,
  execution: StartedExecution<PoolInput>,
  meanwhile: () => void,
): Promise<void> {
  const step = { ...execution.input, execution: execution.name };
  const executionStartedAt = ports.now().toISOString();
  let result: RoundResult<string> = await repeated(() => claimPool(ports, step));
  while (result.kind === "claimed" || result.kind === "working") {
    if (result.commands) await repeated(() => runCommands(ports, step));
    if (result.drains) await repeated(() => drainNodes(ports, step));
    ports.pass(result.waitSeconds);
    if (result.kind === "working") meanwhile();
    const { rounds } = result;
    result = await repeated(() => reconcileNodes(ports, { ...step, executionStartedAt, rounds }));
  }
  if (result.kind === "superseded") return;
  if (result.kind === "continue") return void (await repeated(() => continuePoolAsNew(ports, step)));
  const { kind: verdict, reason } = result;
  await repeated(() => releasePool(ports, { ...step, verdict, reason }));
}
