import { annotations } from "../../../../domain/workload/policy/annotations.ts";
import { canaryReplicas } from "../../../../domain/workload/canary/size.ts";
import { hasBaseline } from "../../../../domain/workload/canary/analysis-runs.ts";
import { canaryAnnotation } from "../../../../domain/workload/canary/progress.ts";
import { matchDeployments } from "../../../../domain/workload/canary/pod-names.ts";
import type { Policy } from "../../../../domain/workload/workload.ts";
import { isAsWritten } from "../../../../domain/image/reference.ts";
import { rewriteReason } from "../../../../domain/workload/update/applied-image.ts";
import { AdmissionDenied, CanaryUnsupported, Conflict } from "../../../../ports/errors.ts";
import type { KubernetesApi } from "../../api.ts";
import { formatLabelSelector } from "../../label-selector.ts";
import { findAutoscaler } from "../built-in/autoscaler.ts";
import { buildBeside, nameBeside, ownerNameOf, roles, type Role, selectorOf } from "./beside.ts";
import type { Canary, CanaryStrategy } from "./canary-strategy.ts";
import { primaryContainer } from "../pod-template/container.ts";
import { type Deployment, countReplicas } from "../built-in/deployment-rollout.ts";

const resource = { group: "apps", version: "v1", plural: "deployments", kind: "Deployment" };

/**
 * Runs the canary of a Deployment in a second Deployment with the same template, which the first one owns. Its pods have the
 * labels of the first, so that they receive traffic, and one more label for its selector. A baseline is a third one, with the running
 * image: it is created after the canary and deleted before it, so that it never exists without one.
 */
export const deploymentCanary: CanaryStrategy<Deployment> = {
  async read(object, { policy }, api) {
    const found = await findBeside(object, "canary", api);
    if (found === null) return null;
    const { generation = 1 } = found.metadata;
    const observedGeneration = found.status?.observedGeneration ?? 0;
    const image = primaryContainer(found)?.image ?? null;
    const baseline = hasBaseline(policy) ? await findBeside(object, "baseline", api) : null;
    return {
      ...countReplicas(found),
      generation,
      observedGeneration,
      image,
      addedTo: object.spec.replicas ?? 1,
      ...(baseline === null ? {} : { baseline: countReplicas(baseline) }),
    };
  },
  async inspect(object, policy, api) {
    const { namespace } = object.metadata;
    // One whose canary is requested no more may have a baseline.
    for (const role of hasBaseline(policy) || policy.canary === null ? roles : (["canary"] as const)) {
      const existing = await api.get<Deployment>(resource, namespace, nameBeside(object.metadata, role));
      if (existing !== null)
        return isOwnedBy(existing, object)
          ? { kind: "left" }
          : { kind: "unsupported", reason: notOwnedReason(object, role) };
    }
    const shared = sharedVolumeReason(object, policy);
    return shared === null ? { kind: "none" } : { kind: "unsupported", reason: shared };
  },
  // A claim names its execution on the Deployment. That of an update whose record was deleted is not in the history.
  mayBeLeft({ metadata }, recorded) {
    const execution = metadata.annotations?.[annotations.execution];
    return execution !== undefined && execution !== recorded;
  },
  isMarked: () => false,
  ownerName: ownerNameOf,
  names(object, policy) {
    const { metadata, spec } = object;
    const names = {
      stable: metadata.name,
      canary: nameBeside(metadata, "canary"),
      ...(hasBaseline(policy) ? { baseline: nameBeside(metadata, "baseline") } : {}),
    };
    const canarySelector = formatLabelSelector(selectorOf(spec, "canary"));
    return { ...names, ...matchDeployments(names), canarySelector };
  },
  patch: () => ({}),
  imageBefore: async () => null,
  // Their selector is that of the owner.
  autoscaler: ({ metadata }, api) => findAutoscaler(metadata, api),
  async create(object, canary, policy, api) {
    const created = await keepBeside(object, "canary", canary, api);
    if (created !== null) refuseRewritten(created, canary);
    const image = primaryContainer(object)?.image ?? "";
    if (hasBaseline(policy)) await keepBeside(object, "baseline", { ...canary, image }, api);
  },
  delete: deleteBeside,
};

/** Deletes the baseline first: a canary that is left is found by what would delete it too. */
async function deleteBeside(object: Deployment, api: KubernetesApi): Promise<void> {
  for (const role of roles.toReversed()) {
    const found = await findBeside(object, role, api);
    if (found !== null) await api.delete(resource, found.metadata);
  }
}

/** Creates the Deployment of a role and returns it, or brings the one that exists to the size of its step. */
async function keepBeside(object: Deployment, role: Role, canary: Canary, api: KubernetesApi) {
  const body = buildBeside(object, role, canary);
  const created = await api.create<Deployment>(resource, object.metadata.namespace, body);
  if (created !== null) return created;
  const found = await findBeside(object, role, api);
  if (found === null) throw new CanaryUnsupported(notOwnedReason(object, role));
  if (!canary.isRestart && isAsWritten(primaryContainer(found)?.image ?? "", canary.image)) {
    await resize(object, found, canary, api);
    return null;
  }
  // It remains from an update whose record was deleted, or its owner has changed the pod template since.
  await deleteBeside(object, api);
  throw new Conflict(`${found.metadata.name} had another image or pod template and was deleted; retry`);
}

/** Throws `AdmissionDenied` if a webhook made another image of that of a new canary. It is deleted with its claim. */
function refuseRewritten(created: Deployment, { image }: Canary): void {
  const answered = primaryContainer(created)?.image ?? image;
  const reason = rewriteReason({ target: { kind: "image", image }, appliedImage: answered });
  if (reason !== null) throw new AdmissionDenied(reason);
}

async function resize({ spec }: Deployment, found: Deployment, { size }: Canary, api: KubernetesApi): Promise<void> {
  const replicas = canaryReplicas(size, spec.replicas ?? 1);
  const { metadata } = found;
  if (found.spec.replicas === replicas) return;
  const body = { metadata: { resourceVersion: metadata.resourceVersion }, spec: { replicas } };
  await api.patch(resource, metadata, "application/merge-patch+json", body);
}

/** Returns the Deployment of a role if this Deployment owns it. */
async function findBeside(object: Deployment, role: Role, api: KubernetesApi): Promise<Deployment | null> {
  const found = await api.get<Deployment>(resource, object.metadata.namespace, nameBeside(object.metadata, role));
  return found !== null && isOwnedBy(found, object) ? found : null;
}

function isOwnedBy(found: Deployment, { metadata }: Deployment): boolean {
  return found.metadata.ownerReferences?.some(({ uid }) => uid === metadata.uid) ?? false;
}

function notOwnedReason(object: Deployment, role: Role): string {
  return `a Deployment ${nameBeside(object.metadata, role)} exists and is not managed by Pawl; rename or delete it`;
}

/** Two pods must not write to one volume: `Recreate` says so, and a volume of one node cannot be attached to another. */
function sharedVolumeReason({ spec }: Deployment, policy: Policy): string | null {
  const claims = spec.template.spec.volumes?.flatMap((volume) => volume.persistentVolumeClaim?.claimName ?? []) ?? [];
  return spec.strategy?.type !== "Recreate" || claims.length === 0
    ? null
    : `${canaryAnnotation(policy)}: strategy Recreate, and the canary would use PersistentVolumeClaim ${claims.join(", ")} at the same time; use no canary`;
}
