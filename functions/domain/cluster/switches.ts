/** What the configuration of a cluster enables. All are off by default. */
export interface ClusterSwitches {
  /** Records releases and rolls back to them on request. Needs `infra/cluster/releases` in the cluster. */
  readonly releases: boolean;
  /** Runs the Jobs that workloads name as hooks. Needs `infra/cluster/hooks` in the cluster. */
  readonly hooks: boolean;
  /** Runs the Jobs that are metrics of an analysis. Needs `infra/cluster/hooks` in the cluster. */
  readonly jobMetrics: boolean;
  /** Restarts workloads for changed Secrets too. Needs `infra/cluster/pull-secrets` in the cluster. */
  readonly configSecrets: boolean;
}

export interface ClusterSwitch {
  /** Of the environment of the functions. */
  readonly variable: string;
  /** The folder of `infra/cluster` with the rights that it needs. */
  readonly folder: string;
  /** Only the functions that poll have it; all that call the cluster if absent. */
  readonly isOfPolls?: true;
  /** In the schema of the configuration. */
  readonly description: string;
}

/** A switch is a row here, and where it applies. */
export const clusterSwitches: Readonly<Record<keyof ClusterSwitches, ClusterSwitch>> = {
  releases: {
    variable: "PAWL_RELEASES",
    folder: "releases",
    description: "Records releases and rolls back to them on request.",
  },
  hooks: { variable: "PAWL_HOOKS", folder: "hooks", description: "Runs the Jobs that workloads name as hooks." },
  jobMetrics: {
    variable: "PAWL_JOB_METRICS",
    folder: "hooks",
    description: "Runs the Jobs that are metrics of an analysis.",
  },
  configSecrets: {
    variable: "PAWL_CONFIG_SECRETS",
    folder: "pull-secrets",
    isOfPolls: true,
    description: "Restarts workloads with restart-on-config-change for changed Secrets too.",
  },
};

const rows = Object.entries(clusterSwitches) as readonly (readonly [keyof ClusterSwitches, ClusterSwitch])[];

/** Returns a value for each switch. */
export function mapSwitches<Value>(
  valueOf: (one: ClusterSwitch) => Value,
): Readonly<Record<keyof ClusterSwitches, Value>> {
  return Object.fromEntries(rows.map(([name, one]) => [name, valueOf(one)])) as Record<keyof ClusterSwitches, Value>;
}

/** Returns the environment of a function; null where a switch is off, or the function does not need it. */
export function switchEnvironment(cluster: ClusterSwitches, polls: boolean): Readonly<Record<string, "true" | null>> {
  const isSet = ([name, { isOfPolls }]: (typeof rows)[number]) => cluster[name] && (polls || !isOfPolls);
  return Object.fromEntries(rows.map((row) => [row[1].variable, isSet(row) ? "true" : null]));
}

/** Returns the folders of `infra/cluster` that the switches of a cluster need. */
export function switchFolders(cluster: ClusterSwitches): readonly string[] {
  return [...new Set(rows.flatMap(([name, { folder }]) => (cluster[name] ? [folder] : [])))];
}
