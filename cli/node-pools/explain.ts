import type { IntOrPercent } from "../../functions/domain/node-pool/pool/int-or-percent.ts";
import {
  type MaintenanceWindow,
  isAnyWindowOpen,
  nextOpening,
} from "../../functions/domain/schedule/maintenance-windows.ts";
import type { NodePoolSpec } from "../../functions/domain/node-pool/pool/node-pool.ts";
import { formatDuration } from "../../functions/domain/text/duration.ts";
import { formatRfc3339 } from "../../functions/domain/text/rfc3339.ts";
import type { Ports } from "../../functions/contract/ports.ts";
import { resolveTag } from "../../functions/workflows/poll/poll-node-pool.ts";
import type { PolicyRow } from "../workloads/policy-rows.ts";
import { findPool } from "./find.ts";
import { observePools } from "./observe.ts";
import { type PlannedPool, planPool } from "./plan.ts";
import { readPodsOfOutdatedNodes } from "./pods.ts";
import { poolStatus, type PoolStateAndReason, type PoolStatus } from "./status.ts";

/** Why the nodes of a pool run what they run, and what the next poll does. */
export interface PoolExplanation {
  readonly status: PoolStatus;
  readonly policy: { readonly from: string; readonly settings: readonly PolicyRow[] };
  readonly nextPoll: Pick<PlannedPool, "candidate" | keyof PoolStateAndReason>;
  /** When its tag is resolved next; null for a digest, and before the first time. */
  readonly nextResolution: string | null;
  /** When a maintenance window opens next; null if one is open, or none ever opens. */
  readonly nextWindow: string | null;
  /** The digests that were rolled back and are not tried again, newest last. */
  readonly failedDigests: readonly string[];
  readonly nodes: PlannedPool["nodes"];
}

/** Explains a node pool, and resolves its tag if that is due. Throws `NotFound`, and the errors of the cluster. */
export async function explainPool(
  { nodePools, registry, now }: Pick<Ports, "nodePools" | "registry" | "now">,
  name: string,
): Promise<PoolExplanation> {
  const resolve = async (pool: Parameters<typeof resolveTag>[1]) =>
    pool.name === name ? resolveTag({ registry, nodePools, now }, pool) : null;
  const views = await observePools({ nodePools, now, resolve });
  const { view } = findPool(
    name,
    views.map((one) => ({ name: one.pool.name, view: one })),
  );
  const { pool, poolState } = view;
  const pods = await readPodsOfOutdatedNodes(nodePools, poolState, () => undefined);
  const { state, reason, message, candidate, nodes } = planPool(view, pods);
  const { windows } = pool.spec;
  const opening = isAnyWindowOpen(windows, now()) ? null : nextOpening(windows, now());
  const resolution = pool.status.nextTagResolution;
  return {
    status: poolStatus(view),
    policy: { from: "spec of the BootcNodePool", settings: poolRows(pool.spec) },
    nextPoll: { state, reason, message, candidate },
    nextResolution: resolution === null ? null : formatRfc3339(resolution),
    nextWindow: opening === null ? null : formatRfc3339(opening),
    failedDigests: pool.status.failedDigests,
    nodes,
  };
}

const drainActions = { Report: null, GiveBack: "the slot is given back", Force: "pods are deleted" } as const;

/** Returns the settings of a node pool for people; those that are off and off by default are omitted. */
function poolRows(spec: NodePoolSpec): readonly PolicyRow[] {
  const { onHalt, windows, dependsOn, healthChecks, drain, minReadySeconds } = spec;
  const duration = (seconds: number | null) => (seconds === null ? "none" : formatDuration(seconds));
  const conditions = healthChecks.conditions.map(({ type, status }) => `${type}=${status}`);
  const daemonSets = healthChecks.daemonSets.map(({ namespace, name }) => `daemonset/${namespace}/${name}`);
  const rows: readonly (readonly [string, string | null])[] = [
    ["image", spec.imageRef],
    ["paused", spec.paused ? "yes" : null],
    ["slots", amount(spec.maxUnavailable)],
    ["one at a time, of", spec.topologyKey],
    ["halted by unhealthy nodes", amount(spec.haltThreshold)],
    ["steps", spec.steps.length === 0 ? null : String(spec.steps.length)],
    ["metrics", spec.analysis?.metrics.map(({ name }) => name).join(", ") ?? null],
    ["waits for alerts", spec.blockOnAlerts?.matchers.join(", ") ?? null],
    ["when halted", onHalt === "Rollback" ? "returns to the image before" : "waits"],
    ["staged ahead", spec.stageAhead === null ? null : String(spec.stageAhead)],
    ["drain timeout", duration(spec.drainTimeoutSeconds)],
    ["after the drain timeout", drainActions[spec.onDrainTimeout]],
    ["reboot timeout", duration(spec.rebootTimeoutSeconds)],
    ["staging timeout", duration(spec.stagingTimeoutSeconds)],
    ["ready for", minReadySeconds === 0 ? null : formatDuration(minReadySeconds)],
    ["health checks", [...conditions, ...daemonSets].join(", ") || null],
    ["cordoned nodes", spec.cordonedNodes === "Skip" ? null : "are updated too"],
    ["pods without a controller", drain.force ? null : "are not evicted"],
    ["pods with emptyDir volumes", drain.deleteEmptyDirData ? null : "are not evicted"],
    ["maintenance windows", windows.map(describeWindow).join("; ") || null],
    ["after the pools", dependsOn.join(", ") || null],
  ];
  return rows.flatMap(([name, value]) => (value === null ? [] : [{ name, value }]));
}

function amount({ unit, amount: count }: IntOrPercent): string {
  return unit === "percent" ? `${count}%` : String(count);
}

function describeWindow({ schedule, durationSeconds }: MaintenanceWindow): string {
  return `${schedule.text} for ${formatDuration(durationSeconds)}`;
}
