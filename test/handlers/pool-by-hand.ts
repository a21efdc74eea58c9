import { claimPool } from "../../functions/handlers/claim-pool.ts";
import { drainNodes } from "../../functions/handlers/drain-nodes.ts";
import { handOverPool } from "../../functions/handlers/hand-over-pool.ts";
import { releasePool } from "../../functions/handlers/release-pool.ts";
import { runCommands } from "../../functions/handlers/run-commands.ts";
import { stepNodes } from "../../functions/handlers/step-nodes.ts";
import type { PoolInput, TickAnswer } from "../../functions/pool-contract.ts";
import { pollCluster } from "../../functions/polling/poll-cluster.ts";
import type { StartedExecution } from "../support/fake-executions.ts";
import { type FakePorts, Killed } from "../support/fake-ports.ts";
import { Lost, repeated, unless } from "./machine-by-hand.ts";

/** Polls and runs what was started, until there is nothing more to do; `meanwhile` is called at every wait. */
export async function rollToTheEnd(ports: FakePorts, meanwhile: () => void): Promise<void> {
  for (let round = 0; round < 200; round += 1) {
    const report = await pollCluster(ports).catch(unless(Lost, Killed));
    const running = ports.poolExecutions.running();
    if (report !== undefined && isQuiet(report.pools) && running.length === 0) return;
    for (const execution of running) {
      await runExecution(ports, execution, meanwhile).catch(unless(Lost));
      ports.poolExecutions.finish(execution.name);
    }
    ports.pass(60);
    meanwhile();
  }
  throw new Error("it does not come to an end");
}

function isQuiet({ failed, recorded }: { readonly failed: readonly object[]; readonly recorded: number }): boolean {
  return failed.length === 0 && recorded === 0;
}

/** The steps in the order of node-pool-rollout.asl.json; each is repeated where its Lambda was killed or came too late. */
async function runExecution(
  ports: FakePorts,
  execution: StartedExecution<PoolInput>,
  meanwhile: () => void,
): Promise<void> {
  const step = { ...execution.input, execution: execution.name };
  const executionStartedAt = ports.now().toISOString();
  let tick: TickAnswer<string> = await repeated(() => claimPool(ports, step));
  while (tick.kind === "claimed" || tick.kind === "working") {
    if (tick.commands) await repeated(() => runCommands(ports, step));
    if (tick.drains) await repeated(() => drainNodes(ports, step));
    ports.pass(tick.waitSeconds);
    if (tick.kind === "working") meanwhile();
    const { ticks } = tick;
    tick = await repeated(() => stepNodes(ports, { ...step, executionStartedAt, ticks }));
  }
  if (tick.kind === "superseded") return;
  if (tick.kind === "handover") return void (await repeated(() => handOverPool(ports, step)));
  const { kind: verdict, reason } = tick;
  await repeated(() => releasePool(ports, { ...step, verdict, reason }));
}
