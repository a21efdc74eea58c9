import { type ImageReference, parseImageReference } from "../../../domain/image/reference.ts";
import { targetToPin } from "../../../domain/workload/decision/pin.ts";
import type { Decision } from "../../../domain/workload/decision/decision.ts";
import type { Workload } from "../../../domain/workload/workload.ts";
import type { Cluster } from "../../../ports/cluster.ts";
import { Unreachable } from "../../../ports/errors.ts";
import type { Registry } from "../../../ports/registry.ts";

interface ResolvePorts {
  readonly cluster: Pick<Cluster, "pullSecrets">;
  readonly registry: Pick<Registry, "digestsOf">;
}

/**
 * Adds the digest of its tag to a target that is written with it: what runs is what was chosen, also if the tag moves. The manifest is
 * read and hashed once per decision, and for no other tag.
 */
export async function resolveTarget(ports: ResolvePorts, workload: Workload, decision: Decision): Promise<Decision> {
  const target = targetToPin(workload, decision);
  if (target === null) return decision;
  const image = parseImageReference(target.image) as ImageReference;
  const logins = await ports.cluster.pullSecrets(workload);
  const [digest] = await ports.registry.digestsOf(image, logins, workload.ref.namespace);
  const isMoved = target.digest !== undefined && target.digest !== digest;
  if (isMoved) throw new Unreachable(`${target.image} moved while it was evaluated; the next poll decides again`);
  return { ...decision, target: { ...target, digest } } as Decision;
}
