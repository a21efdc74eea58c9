import { computePoolStatus } from "../domain/node-pool/pool/status.ts";
import { createStepResult, supersededResult } from "../workflows/node-pool-rollout/step-result.ts";
import { checkPoolClaim } from "../workflows/node-pool-rollout/claim.ts";
import { measureNodes, readAlerts } from "../workflows/node-pool-rollout/measure-nodes.ts";
import { readPoolGates } from "../workflows/node-pool-rollout/read-pool-gates.ts";
import { listFullNodes, observePool } from "../workflows/node-pool-rollout/observe-pool.ts";
import { applySteps } from "../workflows/node-pool-rollout/reconcile-nodes.ts";
import { emitNodeEvents } from "../workflows/node-pool-rollout/emit-node-events.ts";
import { recordStatus } from "../workflows/node-pool-rollout/record-status.ts";
import type { PoolTask } from "../contract/task.ts";
import { poolLambda } from "../runtime/lambda.ts";

/** Executes every step of a pool's nodes that needs no pods, and records the pool's status. */
export const reconcileNodes: PoolTask<"ReconcileNodes"> = async (ports, input, { signal } = {}) => {
  const claim = await checkPoolClaim(ports, input);
  if (claim.kind === "lost") return supersededResult(claim.reason, input.rounds);
  const { nodes: listed, etcdNodes } = await listFullNodes(ports.nodePools);
  const nodes = await measureNodes(ports, claim.pool, listed, signal);
  const snapshot = { ...claim, nodes, etcdNodes, resolution: null };
  const view = await observePool(ports, {
    ...snapshot,
    readAlerts: (poolState) => readAlerts(ports, poolState),
    readGates: (poolState) => readPoolGates(ports, poolState),
  });
  const poolState = await applySteps(ports, view, snapshot, signal);
  await emitNodeEvents(ports, claim.pool, poolState, signal);
  await recordStatus(ports, claim.pool, computePoolStatus(poolState, view.secretProblem), input.execution);
  return createStepResult(poolState, input);
};

export const handler = poolLambda({ reconcileNodes });
