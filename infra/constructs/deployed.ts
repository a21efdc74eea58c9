import type { ClusterConfig } from "../config-shape.ts";
import { functionSpecs, type FunctionSpec, type HandlerName, handlerNames, type Part, type Use } from "./functions.ts";

type Switches = Pick<ClusterConfig, "nodePools">;

/** The parts of which a cluster has something to be kept up to date. */
function partsOf({ nodePools }: Switches): readonly Part[] {
  return nodePools === null ? ["workloads"] : ["workloads", "node-pools"];
}

/** The functions of a cluster. */
export function handlersOf(cluster: Switches): readonly HandlerName[] {
  const parts = partsOf(cluster);
  return handlerNames.filter((name) => parts.includes(functionSpecs[name].part));
}

/** What a function uses on a cluster: of what is for node pools only what is switched on there. */
export function usesOf(handler: HandlerName, { nodePools }: Switches): readonly Use[] {
  const { uses }: FunctionSpec = functionSpecs[handler];
  const isOff: Readonly<Partial<Record<Use, boolean>>> = {
    pools: nodePools === null,
    "pool-executions": nodePools === null,
    "record-pool": nodePools === null,
    "pool-secrets": nodePools === null || !nodePools.pullSecrets,
    commands: nodePools === null || nodePools.runCommand === null,
  };
  return uses.filter((use) => isOff[use] !== true);
}
