/** How many workloads of a cluster may be updated at a time. */
export interface ConcurrencySettings {
  /** Absent: a tenth of the workloads that opted in, at least 5 and at most 50. */
  readonly maxConcurrent?: number;
  /** Absent: as many as in the cluster. */
  readonly perNamespace?: number;
  /** Absent: as many as in the cluster. */
  readonly perRepository?: number;
}

/** When a version that has failed in some workloads is held in all others. */
export interface HaltSettings {
  /** In how many workloads it may fail before. Default 2. */
  readonly haltAfter?: number;
  /** Whether workloads of other namespaces count, and are held. Default "namespace". */
  readonly haltScope?: "namespace" | "cluster" | "deployment";
}

export interface Concurrency {
  readonly total: number;
  readonly perNamespace: number;
  readonly perRepository: number;
}

const defaultShare = 0.1;
const [minDefault, maxDefault] = [5, 50];

/** Reports whether the limits, or waves, can delay an update. */
export function isBinding(
  limits: Concurrency,
  facts: { readonly optedIn: number; readonly hasWaves: boolean },
): boolean {
  const { total, perNamespace, perRepository } = limits;
  return facts.hasWaves || Math.min(total, perNamespace, perRepository) < facts.optedIn;
}

/** Returns the limits of a cluster with this number of workloads that opted in. */
export function concurrencyOf(settings: ConcurrencySettings, optedIn: number): Concurrency {
  const common = Math.min(maxDefault, Math.max(minDefault, Math.ceil(optedIn * defaultShare)));
  const { maxConcurrent: total = common, perNamespace = total, perRepository = total } = settings;
  return { total, perNamespace, perRepository };
}
