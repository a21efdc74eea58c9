import type { ConcurrencySettings } from "../gates/limits/limit-settings.ts";

/** What a namespace may use in one poll while others wait. */
export interface NamespaceLimits {
  /** Requests to registries: a listing, or a digest. */
  readonly requests: number;
  /** Registry names that are resolved. */
  readonly names: number;
  /** CPU time of the decisions about its workloads. */
  readonly cpuMilliseconds: number;
}

export type BudgetResource = keyof NamespaceLimits;

/** What each resource is called in messages. */
export const resourceNames = {
  requests: "requests to registries",
  names: "registry names",
  cpuMilliseconds: "ms of CPU time",
} as const satisfies Record<BudgetResource, string>;

/** The limits of all namespaces, and of some by name; and how many workloads of a cluster are updated at a time. */
export interface LimitSettings extends ConcurrencySettings {
  readonly namespace: Partial<NamespaceLimits>;
  readonly overrides: Readonly<Record<string, Partial<NamespaceLimits>>>;
}

export const noLimitSettings: LimitSettings = { namespace: {}, overrides: {} };

export const defaultNamespaceLimits: NamespaceLimits = { requests: 2000, names: 200, cpuMilliseconds: 10_000 };

/** Returns the limits of a namespace. */
export function limitsOf({ namespace: common, overrides }: LimitSettings, namespace: string): NamespaceLimits {
  return { ...defaultNamespaceLimits, ...common, ...(Object.hasOwn(overrides, namespace) ? overrides[namespace] : {}) };
}
