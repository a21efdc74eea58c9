import { claimAnnotation, poolFinalizer } from "../../../domain/node-pool/pool/annotations.ts";
import { readApprovals } from "../../../domain/gates/approval.ts";
import { annotations as workloadAnnotations } from "../../../domain/workload/policy/annotations.ts";
import { parseCommaList } from "../../../domain/text/comma-list.ts";
import { policyTable } from "../../../domain/workload/policy/policy-table.ts";
import { parseSpec, type ParsedSpec } from "../../../domain/node-pool/pool/spec.ts";
import type { RawPoolSpec } from "../../../domain/node-pool/pool/raw-spec.ts";
import type { NodePool } from "../../../domain/node-pool/pool/node-pool.ts";
import type { ClusterObject } from "../cluster-scoped.ts";
import { readPoolStatus, type RawPoolStatus } from "./pool-status.ts";

export interface PoolObject extends ClusterObject {
  readonly spec?: RawPoolSpec;
  readonly status?: RawPoolStatus;
}

const { request: requestAnnotation, notify } = workloadAnnotations;

/** Never throws: invalid values are problems of the pool. */
export function readPool({ metadata, spec, status }: PoolObject): NodePool {
  const { name, uid, resourceVersion, generation = 1, annotations = {}, finalizers = [] } = metadata;
  const approvals = readApprovals(annotations, uid);
  return {
    name,
    uid,
    resourceVersion,
    generation,
    isBeingDeleted: metadata.deletionTimestamp !== undefined,
    hasFinalizer: finalizers.includes(poolFinalizer),
    execution: annotations[claimAnnotation] || null,
    ...(annotations[notify] === undefined
      ? {}
      : { notify: parseCommaList(annotations[notify].slice(0, policyTable.notify.maxLength)) }),
    ...(approvals.length === 0 ? {} : { approvals }),
    ...(annotations[requestAnnotation] === undefined ? {} : { request: annotations[requestAnnotation] }),
    ...parseSpecSafely(spec),
    status: readPoolStatus(status),
  };
}

/** The schema of the CRD rejects most invalid specs, but the cluster may have another version of the CRD. */
function parseSpecSafely(spec: RawPoolSpec | undefined): ParsedSpec {
  try {
    return parseSpec(spec ?? {});
  } catch (error) {
    const problem = `spec: is not a valid BootcNodePool spec (${(error as Error).message})`;
    return { spec: parseSpec({}).spec, problems: [problem] };
  }
}
