import type { Workload } from "../../functions/domain/workload.ts";
import { updating, workload, type WorkloadParts } from "../support/workloads.ts";

function named(seen: Workload, name: string): Workload {
  return { ...seen, ref: { ...seen.ref, name, uid: `uid-of-${name}` } };
}

/** A workload at rest that runs `source`, in the namespace shop. */
export function resting(
  name: string,
  source = `registry.example/shop/${name}:1.0.0`,
  parts: WorkloadParts = {},
): Workload {
  return named(workload({ source, image: source, ...parts }), name);
}

/** A workload with an update to 1.1.0 in flight. */
export function inFlightOf(name: string, parts: WorkloadParts = {}): Workload {
  return named(updating(parts), name);
}

export const tags = ["1.0.0", "1.1.0"];
