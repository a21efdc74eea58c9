import type { Change } from "../update/change.ts";
import type { InFlight } from "../update/in-flight.ts";
import type { Workload } from "../workload.ts";
import { configDigests } from "./tracking.ts";

/** Records the configuration that the pods of an update were started with; nothing if the update names none. */
export function recordConfig({ config }: Workload, { digests }: InFlight): Pick<Change, "config"> {
  const started = configDigests(digests);
  if (config === undefined || started === null) return {};
  return { config: { deployed: { ...config.deployed, ...started } } };
}
