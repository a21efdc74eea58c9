import type { NodePoolStatus, PoolCondition } from "../../../domain/node-pool/types.ts";
import { formatRfc3339, parseRfc3339 } from "../../../domain/time.ts";
import { type ObjectCondition, withConditions } from "../conditions.ts";

type Counts = Pick<NodePoolStatus, "nodeCount" | "updatedCount" | "updatingCount" | "degradedCount">;

/** `status` of a BootcNodePool as it stands in the cluster. */
export interface WrittenPoolStatus extends Partial<Counts> {
  readonly observedGeneration?: number;
  readonly targetDigest?: string;
  readonly targetRef?: string;
  readonly nextTagResolutionTime?: string;
  readonly tagProblem?: string;
  readonly deployedDigest?: string;
  readonly updateAvailable?: boolean;
  readonly conditions?: readonly ObjectCondition[];
}

export function readPoolStatus(status: WrittenPoolStatus = {}): NodePoolStatus {
  return {
    observedGeneration: status.observedGeneration ?? 0,
    targetDigest: status.targetDigest || null,
    targetRef: status.targetRef || null,
    nextTagResolution: parseRfc3339(status.nextTagResolutionTime ?? ""),
    tagProblem: status.tagProblem || null,
    deployedDigest: status.deployedDigest || null,
    updateAvailable: status.updateAvailable ?? false,
    nodeCount: status.nodeCount ?? 0,
    updatedCount: status.updatedCount ?? 0,
    updatingCount: status.updatingCount ?? 0,
    degradedCount: status.degradedCount ?? 0,
    conditions: (status.conditions ?? []).filter(isPools).map(readCondition),
  };
}

/** The whole status as a merge patch: null takes a field away, and conditions of others stay. */
export function poolStatusPatch(status: NodePoolStatus, before: WrittenPoolStatus = {}, now: Date): object {
  const { nextTagResolution, conditions, ...plain } = status;
  return {
    ...plain,
    nextTagResolutionTime: nextTagResolution === null ? null : formatRfc3339(nextTagResolution),
    conditions: withConditions(before.conditions ?? [], conditions, status.observedGeneration, now),
  };
}

function isPools({ type }: { readonly type: string }): boolean {
  return type === "UpToDate" || type === "Degraded";
}

/** Another version's reasons are kept as they are: they are compared with what is to stand there, and nothing else. */
function readCondition({ type, status, reason, message }: ObjectCondition): PoolCondition {
  return { type, status, reason, message: message ?? "" } as PoolCondition;
}
