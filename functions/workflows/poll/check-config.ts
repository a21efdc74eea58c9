import { decideByConfig } from "../../domain/workload/config/decide-by-config.ts";
import type { Decision } from "../../domain/workload/decision.ts";
import type { Workload } from "../../domain/workload/workload.ts";
import type { Cluster } from "../../ports/cluster.ts";

interface ConfigPorts {
  readonly cluster: Pick<Cluster, "listConfigMaps" | "readConfig">;
}

/** Adds what the configuration of a workload means to the decision about its image. Reads nothing if it is not tracked. */
export async function checkConfig({ cluster }: ConfigPorts, workload: Workload, byImage: Decision): Promise<Decision> {
  const { config, ref } = workload;
  if (config === undefined || (byImage.kind !== "update" && byImage.kind !== "hold")) return byImage;
  const usesConfigMaps = config.references.some(({ kind }) => kind === "configmap");
  const configMaps = usesConfigMaps ? await cluster.listConfigMaps(ref.namespace) : new Map<string, string>();
  return decideByConfig(workload, byImage, await cluster.readConfig(ref.namespace, config, configMaps));
}
