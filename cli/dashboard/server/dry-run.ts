import { noVerifier } from "../../../functions/ports/verifier.ts";
import type { Cluster } from "../../../functions/ports/cluster.ts";
import type { NodePools } from "../../../functions/ports/node-pools.ts";
import type { Registry } from "../../../functions/ports/registry.ts";
import { planCluster } from "../../../functions/workflows/poll/plan-cluster.ts";
import { planPools } from "../../node-pools/plan.ts";
import { planWorkload } from "../../workloads/plan.ts";
import type { RateLimit } from "../../../functions/adapters/oci-registry/rate-limit-headers.ts";
import type { PlanDocument } from "../model.ts";
import { logRegistry } from "./registry-log.ts";

interface Sources {
  readonly cluster: Cluster;
  readonly nodePools: NodePools | null;
  readonly registry: Registry;
  /** The last that each registry reported. */
  readonly rateLimits: ReadonlyMap<string, RateLimit>;
  readonly now: () => Date;
}

/** Which addresses are allowed is known to the deployment only. */
const metricProvider = () => Promise.resolve(null);

/** Evaluates all workloads and node pools as the next poll does, without changing anything. Throws the errors of the cluster. */
export async function readPlan({ cluster, nodePools, now, ...rest }: Sources): Promise<PlanDocument> {
  const notes: string[] = [];
  const log = logRegistry(rest.registry, rest.rateLimits, now);
  const { registry } = log;
  const ports = { cluster, registry, verifier: noVerifier, now, metricProvider };
  const workloads = await planCluster(ports, ({ message }) => notes.push(message));
  const pools =
    nodePools === null ? [] : await planPools({ nodePools, registry, now }, (message) => notes.push(message));
  const at = now();
  const planned = [...workloads.map((one) => planWorkload(one, at)), ...pools];
  const rows = planned.map(({ workload, current, candidate, state, reason, message }) => ({
    workload,
    current,
    candidate,
    state,
    reason,
    message,
  }));
  return { rows, notes, registries: log.rows() };
}
