import { isConflict } from "../../ports/errors.ts";
import { describeNodeStep } from "../../domain/node-pool/step/describe-step.ts";
import type { NodeStep } from "../../domain/node-pool/step/step.ts";
import { deniedBy } from "../../domain/node-pool/pool/conditions.ts";
import { planSteps } from "../../domain/node-pool/step/plan-steps.ts";
import { type PoolObservation, type PoolState, computePoolState } from "../../domain/node-pool/pool/pool-state.ts";
import type { NodeWrite } from "../../ports/node-pools.ts";
import type { Ports } from "../../contract/ports.ts";
import { mapConcurrent } from "../map-concurrent.ts";
import type { PoolView, PoolSnapshot } from "./observe-pool.ts";
import { emitStepEvent } from "./emit-node-events.ts";
import { isAdmissionDenied } from "./skip-reason.ts";

/** What the API server can take from one function. */
const maxConcurrentWrites = 16;

/** A node needs fewer from its first step until it has to wait. */
const maxRounds = 12;

/**
 * Executes every step of a pool's nodes that needs no pods, in rounds on fresh state, until every node waits. Returns
 * the resulting state. A node that has changed since it was read is left to the next round of the machine, as is what
 * exceeds the deadline. A node whose write is denied is left too, with the reason in the state.
 */
export async function applySteps(
  ports: Pick<Ports, "cluster" | "nodePools" | "events" | "now">,
  view: PoolView,
  snapshot: PoolSnapshot,
  signal?: AbortSignal,
): Promise<PoolState> {
  const nodes = new Map(snapshot.nodes.map((node) => [node.name, node]));
  const stale = new Set<string>();
  const refused = new Map<string, string>();
  let poolState = view.poolState;

  async function applyStep({ name, write }: { readonly name: string; readonly write: NodeWrite }): Promise<void> {
    const node = nodes.get(name);
    if (node === undefined || signal?.aborted) return void stale.add(name);
    try {
      await emitStepEvent(ports, view.pool, node, write);
      nodes.set(name, await ports.nodePools.write(view.pool, node, write));
    } catch (error) {
      if (isAdmissionDenied(error)) refused.set(name, `${describeNodeStep(write)}, ${deniedBy}${error.message}`);
      else if (isConflict(error)) stale.add(name);
      else throw error;
    }
  }

  for (let round = 0; round < maxRounds; round += 1) {
    const writes = planSteps(poolState).flatMap(({ name, step }) =>
      isWrite(step) && !stale.has(name) ? [{ name, write: step }] : [],
    );
    if (writes.length === 0) break;
    await mapConcurrent(writes, maxConcurrentWrites, applyStep);
    poolState = recompute(poolState, {
      pools: snapshot.pools,
      nodes: [...nodes.values()],
      now: ports.now(),
      refused: new Map(refused),
    });
  }
  return poolState;
}

function recompute(
  { pool, desired, podProblems, alerts, gates, etcdNodes }: PoolState,
  observed: Pick<PoolObservation, "pools" | "nodes" | "now" | "refused">,
): PoolState {
  return computePoolState({
    ...observed,
    pool,
    podProblems,
    alerts,
    gates,
    etcdNodes,
    pullSecretHash: desired?.pullSecretHash ?? null,
  });
}

function isWrite(step: NodeStep): step is NodeWrite {
  return step.kind !== "wait" && step.kind !== "none" && step.kind !== "evict";
}
