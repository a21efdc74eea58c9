import type { PoolEvent } from "../domain/node-pool/event/event.ts";
import type { PoolNode } from "../domain/node-pool/node/bootc-node.ts";
import type { NodePool } from "../domain/node-pool/pool/node-pool.ts";
import { parseDigest } from "../domain/node-pool/node/node-state.ts";
import type { Workload } from "../domain/workload/workload.ts";
import type { Cluster } from "../ports/cluster.ts";
import type { Events } from "../ports/events.ts";
import type { NodePools } from "../ports/node-pools.ts";
import type { Ports } from "../contract/ports.ts";
import type { UpdateEvent } from "../domain/workload/event/update-event.ts";

/** What emitting pool events needs of `Ports`. */
export interface PoolEventPorts {
  readonly cluster: Pick<Cluster, "name">;
  readonly nodePools: Pick<NodePools, "emitEvent">;
  readonly events: Pick<Events, "publishPool">;
}

/** Emits an event on the pool and on the bus. Repeated, it is one Event on the pool; delivery on the bus is at least once. */
export async function emitPoolEvent(ports: PoolEventPorts, pool: NodePool, poolEvent: PoolEvent): Promise<void> {
  await ports.nodePools.emitEvent({ kind: "pool", pool }, toKubernetesEvent(poolEvent));
  await publish(ports, pool, null, poolEvent);
}

/** Emits an event on a node of the pool and, if it has a bus event type, on the bus. "lost": emit it again in the next round. */
export async function emitNodeEvent(
  ports: PoolEventPorts,
  pool: NodePool,
  node: PoolNode,
  poolEvent: PoolEvent,
): Promise<"written" | "lost"> {
  const emitted = await ports.nodePools.emitEvent({ kind: "node", node }, toKubernetesEvent(poolEvent));
  await publish(ports, pool, node.name, poolEvent);
  // Repeated, it would be on the bus again.
  return poolEvent.event === null ? emitted : "written";
}

function toKubernetesEvent({ type, reason, message, key }: PoolEvent) {
  return { type, reason, message, key };
}

async function publish(
  { cluster, events }: PoolEventPorts,
  { name, uid, notify = [] }: NodePool,
  node: string | null,
  { event, execution, image, message }: PoolEvent,
): Promise<void> {
  if (event === null) return;
  await events.publishPool(event, {
    cluster: cluster.name,
    nodePool: { name, uid },
    node,
    execution,
    image,
    digest: image === null ? null : parseDigest(image),
    reason: message,
    notify,
  });
}

/** Writes Events of the workload that were emitted before and may have been lost: those that exist stay. */
export async function restoreEvents(
  { cluster }: Pick<Ports, "cluster">,
  workload: Workload,
  events: readonly UpdateEvent[],
): Promise<void> {
  for (const { type, reason, message, key } of events)
    await cluster.emitEvent(workload, { type, reason, message, key });
}

/** Emits an event on the workload and on the bus. Repeated, it is one Event on the workload; delivery on the bus is at least once. */
export async function emitEvent(
  {
    cluster,
    events,
  }: { readonly cluster: Pick<Cluster, "name" | "emitEvent">; readonly events: Pick<Events, "publish"> },
  workload: Workload,
  updateEvent: UpdateEvent,
): Promise<void> {
  const {
    event,
    type,
    reason,
    message,
    key,
    execution,
    version,
    image,
    evidence = null,
    requested,
    audit,
  } = updateEvent;
  await cluster.emitEvent(workload, { type, reason, message, key });
  await events.publish(event, {
    cluster: cluster.name,
    workload: workload.ref,
    execution,
    currentVersion: workload.updateRecord.currentVersion,
    version,
    image,
    reason: message,
    evidence,
    notify: workload.policy.notify,
    ...(requested === undefined ? {} : { requested }),
    ...(audit === undefined ? {} : { audit }),
  });
}
