import type { AwsRates } from "./aws-rates.ts";
import type { ConcurrencySettings, HaltSettings } from "../gates/limits/limit-settings.ts";

/** What a namespace may use in one poll: while others wait, or, of what it may cause, at all. */
export interface NamespaceLimits {
  /** Requests to registries: a listing, or a digest. */
  readonly requests: number;
  /** Registry names that are resolved. */
  readonly names: number;
  /** Requests to registries at a time. */
  readonly connections: number;
  /** What answers of registries take in memory at a time. */
  readonly bytes: number;
  /** CPU time of the decisions about its workloads. */
  readonly cpuMilliseconds: number;
  /** Steps of tag patterns and version constraints. */
  readonly expressionSteps: number;
  /** Decisions that are written, also if nobody waits: each is an AutoUpdate and at most two Events, with their notifications. */
  readonly records: number;
  /** Executions that are started, also if nobody waits. */
  readonly executions: number;
}

export type BudgetResource = keyof NamespaceLimits;

/** What each resource is called in messages. */
export const resourceNames = {
  requests: "requests to registries",
  names: "registry names",
  connections: "connections to registries",
  bytes: "bytes of answers of registries",
  cpuMilliseconds: "ms of CPU time",
  expressionSteps: "steps of tag patterns and version constraints",
  records: "written decisions",
  executions: "started executions",
} as const satisfies Record<BudgetResource, string>;

/** The limits of all namespaces, and of some by name; and how many workloads of a cluster are updated at a time. */
export interface LimitSettings extends ConcurrencySettings, HaltSettings {
  readonly namespace: Partial<NamespaceLimits>;
  readonly overrides: Readonly<Record<string, Partial<NamespaceLimits>>>;
  /** What this process may request of AWS. */
  readonly aws?: Partial<AwsRates>;
}

export const noLimitSettings: LimitSettings = { namespace: {}, overrides: {} };

export const defaultNamespaceLimits: NamespaceLimits = {
  requests: 2000,
  names: 200,
  connections: 256,
  bytes: 16_777_216,
  cpuMilliseconds: 10_000,
  expressionSteps: 500_000_000,
  records: 5000,
  executions: 5000,
};

/** Returns the limits of a namespace. */
export function limitsOf({ namespace: common, overrides }: LimitSettings, namespace: string): NamespaceLimits {
  return { ...defaultNamespaceLimits, ...common, ...(Object.hasOwn(overrides, namespace) ? overrides[namespace] : {}) };
}
