import { formatRfc3339 } from "../../../functions/domain/text/rfc3339.ts";
import type {
  ConfigChange,
  ConfigTracking,
  ObservedConfig,
} from "../../../functions/domain/workload/config/tracking.ts";
import type { RestartUpdate } from "../../../functions/domain/workload/update/in-flight.ts";
import type { Workload } from "../../../functions/domain/workload/workload.ts";
import { image, noon, workload, type WorkloadParts } from "../workloads.ts";

/** Returns a digest of configuration by number. */
export function configDigest(number: number): string {
  return `config:${number.toString(16).padStart(32, "0")}`;
}

export const reference = {
  kind: "configmap",
  name: "app",
  keys: null,
  isRequired: true,
  requiredKeys: [],
  isNamed: false,
  id: "configmap/app",
} as const;

/** The configuration of one ConfigMap, which was read at its first digest. */
export const config: ConfigTracking = {
  references: [reference],
  salt: "5a17",
  deployed: { "configmap/app": configDigest(1) },
  versions: { "configmap/app": "1" },
};

/** The target of a restart for the second digest. */
export const configTarget = { kind: "config", image, digest: configDigest(2) } as const;

/** Returns what a poll observes of the ConfigMap. */
export function observed(number: number, parts: Partial<ObservedConfig> = {}): ObservedConfig {
  return {
    salt: "5a17",
    digests: { "configmap/app": configDigest(number) },
    versions: { "configmap/app": String(number) },
    digest: configDigest(number),
    problems: [],
    ...parts,
  };
}

/** The change of the ConfigMap that a poll at noon has seen first. */
export function changedAt(number: number, parts: Partial<ConfigChange> = {}): ConfigChange {
  const since = formatRfc3339(noon);
  return { digest: configDigest(number), since, count: 1, references: ["configmap/app"], ...parts };
}

/** Returns a Deployment whose configuration alone is tracked, and which it restarts at once. */
export function configWorkload({ config: own = config, policy, ...parts }: WorkloadParts = {}): Workload {
  const atOnce = { settleSeconds: 0, minimumIntervalSeconds: 0 };
  return workload({ source: null, config: own, policy: { ...atOnce, ...policy }, ...parts });
}

export const configInFlight: RestartUpdate = {
  target: configTarget,
  startedAt: noon,
  execution: "e-1",
  previousImage: null,
  digests: { "configmap/app": configDigest(2) },
  phase: "restart",
};

/** Returns the same, restarted at noon by execution e-1 for the second digest. */
export function configRestart(parts: WorkloadParts = {}): Workload {
  return configWorkload({ inFlight: configInFlight, restartedAt: noon, ...parts });
}
