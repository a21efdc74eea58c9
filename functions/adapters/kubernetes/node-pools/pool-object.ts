import { claimAnnotation, poolFinalizer } from "../../../domain/node-pool/names.ts";
import { readSpec, type ReadSpec, type WrittenSpec } from "../../../domain/node-pool/spec.ts";
import type { NodePool } from "../../../domain/node-pool/types.ts";
import type { ClusterObject } from "../cluster-scoped.ts";
import { readPoolStatus, type WrittenPoolStatus } from "./pool-status.ts";

export interface PoolObject extends ClusterObject {
  readonly spec?: WrittenSpec;
  readonly status?: WrittenPoolStatus;
}

/** Never throws: what its owner wrote wrongly is a problem of the pool. */
export function readPool({ metadata, spec, status }: PoolObject): NodePool {
  const { name, uid, resourceVersion, generation = 1, annotations = {}, finalizers = [] } = metadata;
  return {
    name,
    uid,
    resourceVersion,
    generation,
    isBeingDeleted: metadata.deletionTimestamp !== undefined,
    hasFinalizer: finalizers.includes(poolFinalizer),
    execution: annotations[claimAnnotation] || null,
    ...safelyRead(spec),
    status: readPoolStatus(status),
  };
}

/** The schema of the CRD keeps most of it out, but another's CRD may stand in its place. */
function safelyRead(spec: WrittenSpec | undefined): ReadSpec {
  try {
    return readSpec(spec ?? {});
  } catch (error) {
    const problem = `spec: is not written as that of a BootcNodePool is (${(error as Error).message})`;
    return { spec: readSpec({}).spec, problems: [problem] };
  }
}
