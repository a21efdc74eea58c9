import { decideByConfig } from "../../../domain/workload/config/decide-by-config.ts";
import type { ConfigTracking, ObservedConfig } from "../../../domain/workload/config/tracking.ts";
import type { Decision } from "../../../domain/workload/decision/decision.ts";
import type { Workload } from "../../../domain/workload/workload.ts";

/** `readConfig` reads each object once per poll. */
export interface ConfigPorts {
  readonly cluster: { readonly readConfig: (workload: Workload, config: ConfigTracking) => Promise<ObservedConfig> };
}

/** Adds what the configuration of a workload means to the decision about its image. Reads nothing if it is not tracked. */
export async function checkConfig(
  { cluster }: ConfigPorts,
  workload: Workload,
  byImage: Decision,
  now: Date,
): Promise<Decision> {
  const { config } = workload;
  if (config === undefined || (byImage.kind !== "update" && byImage.kind !== "hold")) return byImage;
  return decideByConfig(workload, byImage, await cluster.readConfig(workload, config), now);
}
