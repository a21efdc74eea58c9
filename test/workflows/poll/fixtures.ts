import type { PollSelection } from "../../../functions/contract/poll-fanout.ts";
import type { Workload } from "../../../functions/domain/workload/workload.ts";
import { updatingWorkload, workload, type WorkloadParts } from "../../support/workloads.ts";

function renamed(original: Workload, name: string): Workload {
  return { ...original, ref: { ...original.ref, name, uid: `uid-of-${name}` } };
}

/** Returns an idle workload that runs `source`, in the namespace shop. */
export function idleWorkload(
  name: string,
  source = `registry.example/shop/${name}:1.0.0`,
  parts: WorkloadParts = {},
): Workload {
  return renamed(workload({ source, image: source, ...parts }), name);
}

/** Returns the options of a poll of Deployments in the namespace `shop`. */
export function selecting(...names: readonly string[]): { readonly selected: PollSelection } {
  return { selected: { workloads: names.map((name) => ({ kind: "Deployment", namespace: "shop", name })) } };
}

/** Returns a workload with an update to 1.1.0 in flight. */
export function namedUpdatingWorkload(name: string, parts: WorkloadParts = {}): Workload {
  return renamed(updatingWorkload(parts), name);
}

export const tags = ["1.0.0", "1.1.0"];
