import { annotations } from "../../../domain/annotations.ts";
import { canaryReplicas } from "../../../domain/canary-size.ts";
import { sameImage } from "../../../domain/image-reference.ts";
import { CanaryRefused, Conflict } from "../../errors.ts";
import type { KubernetesApi } from "../api.ts";
import type { Container } from "../objects.ts";
import type { Canary, CanaryMeans } from "./canary-means.ts";
import { containerOf, movingContainers } from "./container.ts";
import { type Deployment, rolloutOf } from "./deployment-rollout.ts";

const resource = { group: "apps", version: "v1", plural: "deployments", kind: "Deployment" };

/** Tells the canary's pods from the others; the Services that select the others select them too. */
const role = { "pawl.dev/role": "canary" };

/**
 * The canary of a Deployment is a second one of its template, named after it and owned by it. Its pods carry the labels of
 * the first, so traffic reaches them as it reaches the rest, and one label more, by which it selects them.
 */
export const deploymentCanary: CanaryMeans<Deployment> = {
  async read(object, _rollout, api) {
    const found = await find(object, api);
    if (found === null) return null;
    const { generation = 1 } = found.metadata;
    const observedGeneration = found.status?.observedGeneration ?? 0;
    return { ...rolloutOf(found), generation, observedGeneration, image: containerOf(found)?.image ?? null };
  },
  async obstacle(object, api) {
    const { namespace } = object.metadata;
    const taken = await api.get<Deployment>(resource, namespace, nameOf(object));
    return taken === null || isOwned(taken, object) ? null : foreign(object);
  },
  names: (object) => ({ stable: object.metadata.name, canary: nameOf(object) }),
  patch: (object, canary) => (canary === null ? {} : { annotations: { [annotations.canaryName]: nameOf(object) } }),
  async make(object, canary, api) {
    const made = await api.create(resource, object.metadata.namespace, secondOf(object, canary));
    const found = made === null ? await find(object, api) : null;
    if (made === null && found === null) throw new CanaryRefused(foreign(object));
    if (found === null || sameImage(containerOf(found)?.image ?? "", canary.image)) return;
    // Left behind by an update whose marks somebody took away.
    await api.remove(resource, found.metadata);
    throw new Conflict(`${nameOf(object)} was of another update: it was removed`);
  },
  async remove(object, api) {
    const found = await find(object, api);
    if (found !== null) await api.remove(resource, found.metadata);
  },
};

/** Only the one that this very Deployment owns. */
async function find(object: Deployment, api: KubernetesApi): Promise<Deployment | null> {
  const found = await api.get<Deployment>(resource, object.metadata.namespace, nameOf(object));
  return found !== null && isOwned(found, object) ? found : null;
}

function isOwned(found: Deployment, { metadata }: Deployment): boolean {
  return found.metadata.ownerReferences?.some(({ uid }) => uid === metadata.uid) ?? false;
}

function foreign(object: Deployment): string {
  return `a Deployment ${nameOf(object)} stands there already and is not Pawl's: rename or remove it`;
}

function nameOf({ metadata }: Deployment): string {
  return `${metadata.name}-canary`;
}

function secondOf(object: Deployment, { image, size }: Canary): object {
  const { name, uid, namespace } = object.metadata;
  const { template, selector, ...rest } = object.spec;
  const chosen = object.metadata.annotations?.[annotations.container];
  const moving = new Set(movingContainers(object).map((one) => one.name));
  const moved = (one: Container) => (moving.has(one.name) ? { ...one, image } : one);
  const { containers, initContainers } = template.spec;
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: {
      name: nameOf(object),
      namespace,
      labels: role,
      ...(chosen === undefined ? {} : { annotations: { [annotations.container]: chosen } }),
      ownerReferences: [{ apiVersion: "apps/v1", kind: "Deployment", name, uid }],
    },
    spec: {
      ...rest,
      replicas: canaryReplicas(size, object.spec.replicas ?? 1),
      selector: { ...selector, matchLabels: { ...selector.matchLabels, ...role } },
      template: {
        ...template,
        metadata: { ...template.metadata, labels: { ...template.metadata?.labels, ...role } },
        spec: {
          ...template.spec,
          containers: containers.map(moved),
          ...(initContainers === undefined ? {} : { initContainers: initContainers.map(moved) }),
        },
      },
    },
  };
}
