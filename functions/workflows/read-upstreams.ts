import { type Upstream, type Upstreams } from "../domain/gates/after.ts";
import { type AfterRule, upstreamName } from "../domain/gates/after-policy.ts";
import { soaksOf } from "../domain/gates/soak.ts";
import type { Workload, WorkloadRef } from "../domain/workload/workload.ts";
import type { Cluster } from "../ports/cluster.ts";
import { Forbidden } from "../ports/errors.ts";

type Ports = Pick<Cluster, "readNamed">;

/** How many workloads are read to find a circle: more do not wait for each other by intent. */
const maxVisited = 20;

/** Reads the workloads that a workload waits for. Throws `Unreachable` and `Throttled`. */
export async function readUpstreams(cluster: Ports, workload: Workload): Promise<Upstreams> {
  const upstreams = new Map<string, Upstream>();
  for (const rule of workload.policy.after ?? []) {
    const name = upstreamName(rule, workload.ref);
    upstreams.set(name, await readUpstream(cluster, workload, rule, name));
  }
  return upstreams;
}

async function readUpstream(cluster: Ports, workload: Workload, rule: AfterRule, name: string): Promise<Upstream> {
  const { namespace } = workload.ref;
  const found = await readRule(cluster, rule, workload.ref);
  if (typeof found === "string")
    return { kind: "unknown", reason: `whether ${name} is healthy is not known: ${found}` };
  if (found === null) return { kind: "unknown", reason: `${name} does not exist, or Pawl is not enabled for it` };
  if (found.ref.namespace !== namespace && !found.policy.visibleTo?.includes(namespace)) {
    const reason = `${name} does not let ${namespace} see its updates; its owner sets pawl.dev/visible-to: ${namespace}`;
    return { kind: "unknown", reason };
  }
  const circle = await findCircle(cluster, workload, found, name);
  return circle === null ? { kind: "known", soaks: soaksOf(found) } : { kind: "unknown", reason: circle };
}

/** Returns how a workload waits for itself by others; null if it does not. */
async function findCircle(cluster: Ports, { ref }: Workload, first: Workload, name: string): Promise<string | null> {
  const own = `${ref.kind.toLowerCase()}/${ref.namespace}/${ref.name}`;
  const visited = new Set([name]);
  const waiting = [{ workload: first, path: [own, name] }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const rule of next.workload.policy.after ?? []) {
      const further = upstreamName(rule, next.workload.ref);
      const path = [...next.path, further];
      if (further === own)
        return `these wait for each other for ever: ${path.join(" after ")}; remove one of their rules`;
      if (visited.has(further) || visited.size >= maxVisited) continue;
      visited.add(further);
      const found = await readRule(cluster, rule, next.workload.ref);
      if (found !== null && typeof found !== "string") waiting.push({ workload: found, path });
    }
  }
  return null;
}

/** Returns why it is unreadable as text; null if it does not exist. */
async function readRule(
  cluster: Ports,
  { kind, name, namespace }: AfterRule,
  own: Pick<WorkloadRef, "namespace">,
): Promise<Workload | string | null> {
  try {
    const found = await cluster.readNamed({ kind, name, namespace: namespace ?? own.namespace });
    return found?.policy.optIn === "no" ? null : found;
  } catch (error) {
    if (!(error instanceof Forbidden)) throw error;
    return error.message;
  }
}
