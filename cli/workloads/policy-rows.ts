import { formatDuration } from "../../functions/domain/text/duration.ts";
import type { Workload } from "../../functions/domain/workload/workload.ts";

export interface PolicyRow {
  readonly name: string;
  readonly value: string;
}

/** Returns the settings of a workload for people; those that are off and off by default, or that its kind lacks, are omitted. */
export function policyRows({ policy, ref }: Pick<Workload, "policy" | "ref">): readonly PolicyRow[] {
  const { versionConstraint, schedule, tagPattern, healthTimeoutSeconds, maxRollbacks, analysis, bake } = policy;
  const { canary, canarySteps, hooks, notify, optIn, paused } = policy;
  const bakeTime =
    bake === null ? null : bake.seconds === null ? "as long as the analysis" : formatDuration(bake.seconds);
  // Its owner sets each image, so it has neither tags nor a circuit.
  const isStatefulCanary = ref.kind === "StatefulCanary";
  const rows: readonly (readonly [string, string | null])[] = [
    ["enabled", optIn],
    ["paused", paused ? "yes" : null],
    ["version constraint", isStatefulCanary ? null : (versionConstraint ?? "every release that is no pre-release")],
    ["tag pattern", tagPattern],
    ["schedule", isStatefulCanary ? null : (schedule ?? "every poll")],
    ["health timeout", formatDuration(healthTimeoutSeconds)],
    ["rollbacks that open the circuit", isStatefulCanary ? null : String(maxRollbacks)],
    ["canary", canary === null ? null : canarySteps.length > 1 ? `${canarySteps.length} steps` : "one step"],
    ["analysis", analysis === null || /^[a-z0-9.-]+$/.test(analysis) ? analysis : "written in place"],
    ["bake time", bakeTime],
    ["hook before", hooks.pre?.job ?? null],
    ["hook after", hooks.post?.job ?? null],
    ["notified", notify.join(", ") || null],
  ];
  return rows.flatMap(([name, value]) => (value === null ? [] : [{ name, value }]));
}

/** Returns where the settings are written. */
export function policySource({ ref, record }: Workload): string {
  if (ref.kind === "Claw") return "spec.autoUpdate of the Claw";
  if (ref.kind === "StatefulCanary") return "spec of the StatefulCanary";
  const isOwners = record.state !== "missing" && !record.isManaged;
  return isOwners ? "spec.policy of the AutoUpdate" : "annotations of the workload";
}
