import type { ClusterConfig, GatesConfig, LimitsConfig } from "./schema.ts";

/** Returns limits as an environment variable; null if everything is as by default. */
export function limitsVariable(limits: LimitsConfig): string | null {
  const isDefault = Object.values(limits).every(
    (limit) => typeof limit === "object" && Object.keys(limit).length === 0,
  );
  return isDefault ? null : JSON.stringify(limits);
}

/** Returns the variables of every function that reads a workload: each needs the same policy of it. */
export function gateVariables({ freeze, defaults }: Pick<GatesConfig, "freeze" | "defaults">) {
  return { PAWL_FREEZE: formatList(freeze), PAWL_DEFAULTS: formatList(defaults) };
}

function formatList(entries: readonly object[]): string | null {
  return entries.length === 0 ? null : JSON.stringify(entries);
}

/** Returns the repositories that policies may name. Only the function that commits has what it needs for that. */
export function gitVariable(git: ClusterConfig["git"], commits: boolean): string | null {
  const entries = git.map((one) => {
    const { name, namespaces, provider: _provider, cluster: _cluster, ...access } = one;
    return { name, namespaces, access: commits ? access : null };
  });
  return formatList(entries);
}
