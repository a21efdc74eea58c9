import { claimAnnotation, poolFinalizer } from "../../../domain/node-pool/pool/annotations.ts";
import { annotations as keys } from "../../../domain/workload/policy/annotations.ts";
import type { NodePool, NodePoolStatus } from "../../../domain/node-pool/pool/node-pool.ts";
import type { ClusterScopedApi } from "../cluster-scoped.ts";
import { ignoreNotFound } from "./ignore-not-found.ts";
import { type PoolObject, readPool } from "./pool-object.ts";
import { poolStatusPatch } from "./pool-status.ts";
import { crdOutdated, prunedFields } from "../pruned-fields.ts";
import { crdFolder, poolResource } from "./resources.ts";

/**
 * A merge patch replaces lists, so the finalizers of others are read first. The patch carries the pool's
 * `resourceVersion`, so the server rejects it if anything has changed since.
 */

export async function writeClaim(pool: NodePool, execution: string, api: ClusterScopedApi): Promise<NodePool> {
  const { name, resourceVersion } = pool;
  const needsFinalizer = !pool.hasFinalizer && !pool.isBeingDeleted;
  const finalizers = needsFinalizer ? { finalizers: [...(await finalizersOf(name, api)), poolFinalizer] } : {};
  const metadata = { resourceVersion, annotations: { [claimAnnotation]: execution }, ...finalizers };
  return readPool(await api.patch<PoolObject>(poolResource, name, { metadata }));
}

/** A pool that was deleted has no claim. */
export async function removeClaim(pool: NodePool, removesFinalizer: boolean, api: ClusterScopedApi): Promise<void> {
  const { name, resourceVersion } = pool;
  const others = removesFinalizer
    ? (await finalizersOf(name, api)).filter((finalizer) => finalizer !== poolFinalizer)
    : null;
  const annotations = { [claimAnnotation]: null };
  const metadata = { resourceVersion, annotations, ...(others === null ? {} : { finalizers: others }) };
  await ignoreNotFound(() => api.patch(poolResource, name, { metadata }));
}

/** Throws `CrdOutdated` if the CRD drops a field: no rollout starts, and one in progress continues only if it can be judged without it. */
export async function writePoolStatus(pool: NodePool, status: NodePoolStatus, api: ClusterScopedApi, now: Date) {
  const { name, resourceVersion, execution } = pool;
  const before = (await api.get<PoolObject>(poolResource, name))?.status;
  const patch = poolStatusPatch(status, before, now);
  const body = { metadata: { resourceVersion }, status: patch };
  const written = await api.patch<PoolObject>(poolResource, name, body, "status");
  const pruned = prunedFields(patch, written.status);
  if (pruned.some(isDecisive) || (pruned.length > 0 && execution === null))
    throw crdOutdated(poolResource, pruned, crdFolder);
  return readPool(written);
}

/** Without these a pool would forget that it halted, or which image is bad, or which one to return to. */
function isDecisive(path: string): boolean {
  return /^status\.(haltedAt|failedDigests|abortedDigests|targetDigest|deployedDigest|lastKnownGoodImage|rollbackImage|progress)\b/.test(
    path,
  );
}

export async function writePoolPaused({ name, resourceVersion }: NodePool, paused: boolean, api: ClusterScopedApi) {
  await api.patch(poolResource, name, { metadata: { resourceVersion }, spec: { rollout: { paused } } });
}

export async function writePoolRequest({ name, resourceVersion }: NodePool, text: string, api: ClusterScopedApi) {
  await api.patch(poolResource, name, { metadata: { resourceVersion, annotations: { [keys.request]: text } } });
}

async function finalizersOf(name: string, api: ClusterScopedApi): Promise<readonly string[]> {
  return (await api.get<PoolObject>(poolResource, name))?.metadata.finalizers ?? [];
}
