import type { RawWindow } from "../../schedule/maintenance-windows.ts";
import type { LabelSelector } from "../../text/label-selector.ts";
import type { DrainOptions, HealthChecks, PullSecretRef } from "./node-pool.ts";

/** `spec` of a BootcNodePool as stored in the cluster. Absent fields take their defaults. */
export interface RawPoolSpec {
  readonly nodeSelector?: LabelSelector;
  readonly image?: { readonly ref?: string };
  readonly rollout?: {
    readonly maxUnavailable?: number | string;
    readonly topologyKey?: string;
    readonly paused?: boolean;
    readonly preStageWhilePaused?: boolean;
    readonly stageAhead?: number | string;
    readonly haltThreshold?: number | string;
    readonly onHalt?: string;
    readonly cordonedNodes?: string;
    readonly drainTimeoutSeconds?: number;
    readonly onDrainTimeout?: string;
    readonly rebootTimeoutSeconds?: number;
    readonly stagingTimeoutSeconds?: number;
    readonly minReadySeconds?: number;
    readonly drain?: Partial<DrainOptions>;
    readonly healthChecks?: RawHealthChecks;
    readonly windows?: readonly RawWindow[];
  };
  readonly dependsOn?: readonly string[];
  readonly allowEmpty?: boolean;
  readonly steps?: unknown;
  readonly analysis?: unknown;
  readonly blockOnAlerts?: unknown;
  readonly minimumReleaseAge?: string;
  readonly approval?: unknown;
  readonly disruption?: { readonly rebootPolicy?: string };
  readonly pullSecretRef?: PullSecretRef;
  readonly agent?: string;
}

export interface RawHealthChecks {
  readonly conditions?: readonly { readonly type: string; readonly status?: string }[];
  readonly daemonSets?: HealthChecks["daemonSets"];
  readonly daemonSetsAsBefore?: boolean;
}

/** Parses a part of the spec that has a schema of its own. */
export type Parse<Value> = (
  written: unknown,
) =>
  | { readonly kind: "valid"; readonly value: Value }
  | { readonly kind: "invalid"; readonly problems: readonly { readonly reason: string }[] };
