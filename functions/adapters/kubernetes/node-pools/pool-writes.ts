import { claimAnnotation, poolFinalizer } from "../../../domain/node-pool/names.ts";
import type { NodePool, NodePoolStatus } from "../../../domain/node-pool/types.ts";
import type { ClusterScopedApi } from "../cluster-scoped.ts";
import { orGone } from "./gone.ts";
import { type PoolObject, readPool } from "./pool-object.ts";
import { poolStatusPatch } from "./pool-status.ts";
import { poolResource } from "./resources.ts";

/*
 * A merge patch writes lists whole, so those of others are read first. Where something has changed since the pool was read the
 * server refuses the patch, which carries the pool's own resourceVersion.
 */

export async function writeClaim(pool: NodePool, execution: string, api: ClusterScopedApi): Promise<NodePool> {
  const { name, resourceVersion } = pool;
  const isToBeHeld = !pool.hasFinalizer && !pool.isBeingDeleted;
  const finalizers = isToBeHeld ? { finalizers: [...(await finalizersOf(name, api)), poolFinalizer] } : {};
  const metadata = { resourceVersion, annotations: { [claimAnnotation]: execution }, ...finalizers };
  return readPool(await api.patch<PoolObject>(poolResource, name, { metadata }));
}

/** A pool that is gone has no claim on it. */
export async function takeClaimAway(pool: NodePool, isLetGo: boolean, api: ClusterScopedApi): Promise<void> {
  const { name, resourceVersion } = pool;
  const others = isLetGo ? (await finalizersOf(name, api)).filter((finalizer) => finalizer !== poolFinalizer) : null;
  const annotations = { [claimAnnotation]: null };
  const metadata = { resourceVersion, annotations, ...(others === null ? {} : { finalizers: others }) };
  await orGone(() => api.patch(poolResource, name, { metadata }));
}

export async function writePoolStatus(pool: NodePool, status: NodePoolStatus, api: ClusterScopedApi, now: Date) {
  const { name, resourceVersion } = pool;
  const before = (await api.get<PoolObject>(poolResource, name))?.status;
  const body = { metadata: { resourceVersion }, status: poolStatusPatch(status, before, now) };
  return readPool(await api.patch<PoolObject>(poolResource, name, body, "status"));
}

export async function writePaused({ name, resourceVersion }: NodePool, paused: boolean, api: ClusterScopedApi) {
  await api.patch(poolResource, name, { metadata: { resourceVersion }, spec: { rollout: { paused } } });
}

async function finalizersOf(name: string, api: ClusterScopedApi): Promise<readonly string[]> {
  return (await api.get<PoolObject>(poolResource, name))?.metadata.finalizers ?? [];
}
