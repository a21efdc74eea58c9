import { pendingNodeEvents, recordEmitted, stepEvent } from "../../domain/node-pool/event/node-events.ts";
import type { NodeStep } from "../../domain/node-pool/step/step.ts";
import type { PoolState } from "../../domain/node-pool/pool/pool-state.ts";
import type { PoolNode } from "../../domain/node-pool/node/bootc-node.ts";
import type { NodePool } from "../../domain/node-pool/pool/node-pool.ts";
import type { Ports } from "../../contract/ports.ts";
import { emitNodeEvent, type PoolEventPorts } from "../emit-events.ts";
import { mapConcurrent } from "../map-concurrent.ts";
import { skipReason } from "./skip-reason.ts";

/** A thousand nodes may have staged since the previous round. */
const maxConcurrentNodes = 16;

/** Emits the Event of a step before the step is executed, so that none is lost. A repeated step has the same key. */
export async function emitStepEvent(
  ports: PoolEventPorts,
  pool: NodePool,
  node: PoolNode,
  step: NodeStep,
): Promise<void> {
  const event = stepEvent(node, step, pool.execution);
  if (event !== null) await emitNodeEvent(ports, pool, node, event);
}

/** Emits the Events that belong to no step, each once unless it is lost: a node has staged its image, or a drain is slow. */
export async function emitNodeEvents(
  ports: PoolEventPorts & Pick<Ports, "nodePools">,
  pool: NodePool,
  poolState: PoolState,
  signal?: AbortSignal,
): Promise<void> {
  await mapConcurrent(pendingNodeEvents(poolState, pool.execution), maxConcurrentNodes, async ({ node, events }) => {
    if (signal?.aborted) return;
    const keys: string[] = [];
    for (const event of events) {
      if ((await emitNodeEvent(ports, pool, node, event)) === "written") keys.push(event.key);
    }
    if (keys.length === 0) return;
    const emittedEvents = recordEmitted(node.bootcNode.emittedEvents, keys);
    await ports.nodePools.recordEmittedEvents(node, emittedEvents).catch(skipReason);
  });
}
