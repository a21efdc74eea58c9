import type { NodePoolStatus, PoolCondition } from "../../../domain/node-pool/pool/node-pool.ts";
import { formatRfc3339, parseRfc3339 } from "../../../domain/text/rfc3339.ts";
import { fromGateStatus, toGateStatus } from "../auto-update/status/gate-status.ts";
import type { FoundGate } from "../../../domain/gates/closed-gate.ts";
import { type ObjectCondition, setConditions } from "../conditions.ts";

type Counts = Pick<NodePoolStatus, "nodeCount" | "updatedCount" | "updatingCount" | "degradedCount">;

/** `status` of a BootcNodePool as stored in the cluster. */
export interface RawPoolStatus extends Partial<Counts> {
  readonly observedGeneration?: number;
  readonly targetDigest?: string;
  readonly targetSince?: string | null;
  readonly targetRef?: string;
  readonly nextTagResolutionTime?: string;
  readonly tagProblem?: string;
  readonly deployedDigest?: string;
  readonly lastKnownGoodImage?: string;
  readonly rollbackImage?: string;
  readonly haltedAt?: string;
  readonly failedDigests?: readonly string[];
  readonly abortedDigests?: readonly string[];
  readonly progress?: { readonly digest?: string; readonly step?: number; readonly since?: string | null } | null;
  readonly gates?: readonly FoundGate[] | null;
  readonly updateAvailable?: boolean;
  readonly conditions?: readonly ObjectCondition[];
}

export function readPoolStatus(status: RawPoolStatus = {}): NodePoolStatus {
  return {
    observedGeneration: status.observedGeneration ?? 0,
    targetDigest: status.targetDigest || null,
    targetSince: parseRfc3339(status.targetSince ?? ""),
    targetRef: status.targetRef || null,
    nextTagResolution: parseRfc3339(status.nextTagResolutionTime ?? ""),
    tagProblem: status.tagProblem || null,
    deployedDigest: status.deployedDigest || null,
    lastKnownGoodImage: status.lastKnownGoodImage || null,
    rollbackImage: status.rollbackImage || null,
    haltedAt: parseRfc3339(status.haltedAt ?? ""),
    failedDigests: status.failedDigests ?? [],
    abortedDigests: status.abortedDigests ?? [],
    progress: readProgress(status.progress),
    gates: fromGateStatus(status.gates ?? []),
    updateAvailable: status.updateAvailable ?? false,
    nodeCount: status.nodeCount ?? 0,
    updatedCount: status.updatedCount ?? 0,
    updatingCount: status.updatingCount ?? 0,
    degradedCount: status.degradedCount ?? 0,
    conditions: (status.conditions ?? []).filter(isPoolCondition).map(readCondition),
  };
}

/** Creates a merge patch of the whole status: null removes a field, and conditions of other writers stay. */
export function poolStatusPatch(status: NodePoolStatus, before: RawPoolStatus = {}, now: Date): object {
  const { targetSince, nextTagResolution, haltedAt, progress, gates, conditions, ...plain } = status;
  return {
    ...plain,
    targetSince: targetSince === null ? null : formatRfc3339(targetSince),
    nextTagResolutionTime: nextTagResolution === null ? null : formatRfc3339(nextTagResolution),
    haltedAt: haltedAt === null ? null : formatRfc3339(haltedAt),
    progress: progress && { ...progress, since: progress.since && formatRfc3339(progress.since) },
    gates: toGateStatus(gates) ?? null,
    conditions: setConditions(before.conditions ?? [], conditions, status.observedGeneration, now),
  };
}

function readProgress(progress: RawPoolStatus["progress"]): NodePoolStatus["progress"] {
  const { digest = "", step = 1, since } = progress ?? {};
  return digest === "" || step < 1 ? null : { digest, step, since: parseRfc3339(since ?? "") };
}

function isPoolCondition({ type }: { readonly type: string }): boolean {
  return type === "UpToDate" || type === "Degraded" || type === "RequestHandled";
}

/** Unknown reasons are kept: conditions are only compared with the new ones. */
function readCondition({ type, status, reason, message }: ObjectCondition): PoolCondition {
  return { type, status, reason, message: message ?? "" } as PoolCondition;
}
