import { annotations } from "../../../../domain/workload/policy/annotations.ts";
import { textOf } from "../../../../domain/workload/policy/raw-policy.ts";
import { canaryReplicas } from "../../../../domain/workload/canary/size.ts";
import { canaryAnnotation } from "../../../../domain/workload/canary/progress.ts";
import { matchDeployments } from "../../../../domain/workload/canary/pod-names.ts";
import type { Policy } from "../../../../domain/workload/workload.ts";
import { isAsWritten } from "../../../../domain/image/reference.ts";
import { rewriteReason } from "../../../../domain/workload/update/applied-image.ts";
import { AdmissionDenied, CanaryUnsupported, Conflict } from "../../../../ports/errors.ts";
import type { KubernetesApi } from "../../api.ts";
import { formatLabelSelector } from "../../label-selector.ts";
import type { Container, ObjectMeta } from "../../objects.ts";
import { findAutoscaler } from "../built-in/autoscaler.ts";
import type { Canary, CanaryStrategy } from "./canary-strategy.ts";
import { primaryContainer, updatedContainers } from "../pod-template/container.ts";
import { rawPolicyOf } from "../pod-template/pod-template.ts";
import { type Deployment, countReplicas } from "../built-in/deployment-rollout.ts";

const resource = { group: "apps", version: "v1", plural: "deployments", kind: "Deployment" };

const canarySuffix = "-canary";

/** Only the canary's pods have this label; Services select them together with the other pods. */
const roleLabel = { "pawl.dev/role": "canary" };

/**
 * Runs the canary of a Deployment in a second Deployment with the same template, which the first one owns. Its pods have the
 * labels of the first, so that they receive traffic, and one more label for its selector.
 */
export const deploymentCanary: CanaryStrategy<Deployment> = {
  async read(object, _rollout, api) {
    const found = await findCanary(object, api);
    if (found === null) return null;
    const { generation = 1 } = found.metadata;
    const observedGeneration = found.status?.observedGeneration ?? 0;
    const image = primaryContainer(found)?.image ?? null;
    return { ...countReplicas(found), generation, observedGeneration, image, addedTo: object.spec.replicas ?? 1 };
  },
  async inspect(object, policy, api) {
    const { namespace } = object.metadata;
    const existing = await api.get<Deployment>(resource, namespace, canaryNameOf(object.metadata));
    const shared = sharedVolumeReason(object, policy);
    if (existing === null) return shared === null ? { kind: "none" } : { kind: "unsupported", reason: shared };
    return isOwnedBy(existing, object) ? { kind: "left" } : { kind: "unsupported", reason: notOwnedReason(object) };
  },
  // A claim names its execution on the Deployment. That of an update whose record was deleted is not in the history.
  mayBeLeft({ metadata }, recorded) {
    const execution = metadata.annotations?.[annotations.execution];
    return execution !== undefined && execution !== recorded;
  },
  isMarked: () => false,
  ownerName({ name, labels = {} }) {
    return isOfCanary({ labels }) && name.endsWith(canarySuffix) ? name.slice(0, -canarySuffix.length) : null;
  },
  names(object) {
    const names = { stable: object.metadata.name, canary: canaryNameOf(object.metadata) };
    const { selector } = object.spec;
    const matchLabels = { ...selector.matchLabels, ...roleLabel };
    const canarySelector = formatLabelSelector({ ...selector, matchLabels });
    return { ...names, ...matchDeployments(names.stable, names.canary), canarySelector };
  },
  patch: () => ({}),
  imageBefore: async () => null,
  // Their selector is that of the owner.
  autoscaler: ({ metadata }, api) => findAutoscaler(metadata, api),
  async create(object, canary, api) {
    const created = await api.create<Deployment>(resource, object.metadata.namespace, buildCanary(object, canary));
    const found = created === null ? await findCanary(object, api) : null;
    if (created !== null) return refuseRewritten(created, canary);
    if (found === null) throw new CanaryUnsupported(notOwnedReason(object));
    const isSame = !canary.isRestart && isAsWritten(primaryContainer(found)?.image ?? "", canary.image);
    if (isSame) return resize(object, found, canary, api);
    // It remains from an update whose record was deleted, or its owner has changed the pod template since.
    await api.delete(resource, found.metadata);
    throw new Conflict(`${canaryNameOf(object.metadata)} had another image or pod template and was deleted; retry`);
  },
  async delete(object, api) {
    const found = await findCanary(object, api);
    if (found !== null) await api.delete(resource, found.metadata);
  },
};

/** Throws `AdmissionDenied` if a webhook made another image of that of a new canary. It is deleted with its claim. */
function refuseRewritten(created: Deployment, { image }: Canary): void {
  const answered = primaryContainer(created)?.image ?? image;
  const reason = rewriteReason({ target: { kind: "image", image }, appliedImage: answered });
  if (reason !== null) throw new AdmissionDenied(reason);
}

/** Reports whether an object, or a pod, is of the canary of a Deployment: the selector of that matches its pods too. */
export function isOfCanary({ labels = {} }: Pick<ObjectMeta, "labels">): boolean {
  return Object.entries(roleLabel).every(([key, value]) => labels[key] === value);
}

/** Brings a canary that exists to the size of its step. */
async function resize({ spec }: Deployment, found: Deployment, { size }: Canary, api: KubernetesApi): Promise<void> {
  const replicas = canaryReplicas(size, spec.replicas ?? 1);
  const { metadata } = found;
  if (found.spec.replicas === replicas) return;
  const body = { metadata: { resourceVersion: metadata.resourceVersion }, spec: { replicas } };
  await api.patch(resource, metadata, "application/merge-patch+json", body);
}

/** Returns the canary if this Deployment owns it. */
async function findCanary(object: Deployment, api: KubernetesApi): Promise<Deployment | null> {
  const found = await api.get<Deployment>(resource, object.metadata.namespace, canaryNameOf(object.metadata));
  return found !== null && isOwnedBy(found, object) ? found : null;
}

function isOwnedBy(found: Deployment, { metadata }: Deployment): boolean {
  return found.metadata.ownerReferences?.some(({ uid }) => uid === metadata.uid) ?? false;
}

function notOwnedReason(object: Deployment): string {
  return `a Deployment ${canaryNameOf(object.metadata)} exists and is not managed by Pawl; rename or delete it`;
}

/** Two pods must not write to one volume: `Recreate` says so, and a volume of one node cannot be attached to another. */
function sharedVolumeReason({ spec }: Deployment, policy: Policy): string | null {
  const claims = spec.template.spec.volumes?.flatMap((volume) => volume.persistentVolumeClaim?.claimName ?? []) ?? [];
  return spec.strategy?.type !== "Recreate" || claims.length === 0
    ? null
    : `${canaryAnnotation(policy)}: strategy Recreate, and the canary would use PersistentVolumeClaim ${claims.join(", ")} at the same time; use no canary`;
}

/** Returns the name of the canary of a Deployment. */
export function canaryNameOf({ name }: { readonly name: string }): string {
  return `${name}${canarySuffix}`;
}

function buildCanary(object: Deployment, { image, size }: Canary): object {
  const { name, uid, namespace, labels } = object.metadata;
  const { template, selector, ...rest } = object.spec;
  const chosen = textOf(rawPolicyOf(object)["containers"]);
  const moving = new Set(updatedContainers(object).map((one) => one.name));
  const moved = (one: Container) => (moving.has(one.name) ? { ...one, image } : one);
  const { containers, initContainers } = template.spec;
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: {
      name: canaryNameOf(object.metadata),
      namespace,
      labels: { ...labels, ...roleLabel },
      ...(chosen === undefined ? {} : { annotations: { [annotations.containers]: chosen } }),
      ownerReferences: [{ apiVersion: "apps/v1", kind: "Deployment", name, uid }],
    },
    spec: {
      ...rest,
      replicas: canaryReplicas(size, object.spec.replicas ?? 1),
      selector: { ...selector, matchLabels: { ...selector.matchLabels, ...roleLabel } },
      template: {
        ...template,
        metadata: { ...template.metadata, labels: { ...template.metadata?.labels, ...roleLabel } },
        spec: {
          ...template.spec,
          containers: containers.map(moved),
          ...(initContainers === undefined ? {} : { initContainers: initContainers.map(moved) }),
        },
      },
    },
  };
}
