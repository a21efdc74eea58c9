import { type Upstream, type Upstreams } from "../domain/gates/after.ts";
import { afterKinds, type AfterRule, fullName, upstreamName } from "../domain/gates/after-policy.ts";
import type { SameElsewhere } from "../domain/gates/halt.ts";
import { soaksOf } from "../domain/gates/soak.ts";
import type { Workload } from "../domain/workload/workload.ts";
import type { Cluster } from "../ports/cluster.ts";
import { Forbidden } from "../ports/errors.ts";

type Ports = Pick<Cluster, "name" | "readNamed">;

/** How many workloads are read to find a circle: more do not wait for each other by intent. */
const maxVisited = 20;

/** A workload, and the peer that it is in; null is this cluster. */
interface Located {
  readonly workload: Workload;
  readonly cluster: string | null;
}

/** Reads the workloads that a workload waits for. Throws `Unreachable` and `Throttled` of its own cluster; a peer that does not answer is unknown. */
export async function readUpstreams(ports: Ports, workload: Workload): Promise<Upstreams> {
  const upstreams = new Map<string, Upstream>();
  for (const rule of workload.policy.after ?? []) {
    const name = upstreamName(rule, workload.ref);
    upstreams.set(name, await readUpstream(ports, workload, rule, name));
  }
  return upstreams;
}

async function readUpstream(ports: Ports, workload: Workload, rule: AfterRule, name: string): Promise<Upstream> {
  const { namespace } = workload.ref;
  const found = await readRule(ports, rule, { workload, cluster: null });
  if (typeof found === "string")
    return { kind: "unknown", reason: `whether ${name} is healthy is not known: ${found}` };
  if (found === null) return { kind: "unknown", reason: `${name} does not exist, or Pawl is not enabled for it` };
  const isElsewhere = found.cluster !== null || found.workload.ref.namespace !== namespace;
  const viewer = found.cluster === null ? namespace : `${ports.name}/${namespace}`;
  if (isElsewhere && !found.workload.policy.visibleTo?.includes(viewer)) {
    const reason = `${name} does not let ${viewer} see its updates; its owner sets pawl.dev/visible-to: ${viewer}`;
    return { kind: "unknown", reason };
  }
  const circle = await findCircle(ports, workload, found, name);
  return circle === null ? { kind: "known", soaks: soaksOf(found.workload) } : { kind: "unknown", reason: circle };
}

/** Returns how a workload waits for itself by others; null if it does not. */
async function findCircle(ports: Ports, { ref }: Workload, first: Located, name: string): Promise<string | null> {
  const own = fullName(ref);
  const visited = new Set([name]);
  const waiting = [{ found: first, path: [own, name] }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { workload, cluster } = next.found;
    for (const written of workload.policy.after ?? []) {
      const rule = { ...written, cluster: clusterOf(ports, written, cluster) };
      const further = upstreamName(rule, workload.ref);
      const path = [...next.path, further];
      if (further === own)
        return `these wait for each other for ever: ${path.join(" after ")}; remove one of their rules`;
      if (visited.has(further) || visited.size >= maxVisited) continue;
      visited.add(further);
      const found = await readRule(ports, rule, next.found);
      if (found !== null && typeof found !== "string") waiting.push({ found, path });
    }
  }
  return null;
}

/** Returns the cluster that a rule of a workload in `from` names, as this cluster calls it. */
function clusterOf({ name }: Ports, rule: AfterRule, from: string | null): string | null {
  const named = rule.cluster ?? from;
  return named === name && from !== null ? null : named;
}

/** Returns why it is unreadable as text; null if it does not exist. */
async function readRule(
  ports: Ports,
  { kind, name, ...rule }: AfterRule,
  from: Located,
): Promise<Located | string | null> {
  const { cluster } = rule;
  try {
    const found = await ports.readNamed({
      kind,
      name,
      namespace: rule.namespace ?? from.workload.ref.namespace,
      cluster,
    });
    return found === null || found.policy.optIn === "no" ? null : { workload: found, cluster };
  } catch (error) {
    // A peer that does not answer closes the gate, and stops nothing else.
    if (error instanceof Error && (cluster !== null || error instanceof Forbidden)) return error.message;
    throw error;
  }
}

/** Reads the workload of the same name in peers; a text says why it is unreadable. */
export async function readSame(
  { readNamed }: Pick<Ports, "readNamed">,
  { ref }: Workload,
  peers: readonly string[],
): Promise<SameElsewhere> {
  if (!afterKinds.some((kind) => kind === ref.kind)) return new Map();
  const { kind, namespace, name } = ref;
  const read = (cluster: string) =>
    readNamed({ kind, namespace, name, cluster }).catch((error: Error) => error.message);
  return new Map(await Promise.all(peers.map(async (cluster) => [cluster, await read(cluster)] as const)));
}
