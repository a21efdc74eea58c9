import { type CanaryNames, matchStatefulSets } from "../../../../domain/workload/canary/pod-names.ts";
import { formatLabelSelector } from "../../label-selector.ts";
import { apiVersionOf, type PodTemplate } from "../../objects.ts";
import { resource, type StatefulCanary } from "./object.ts";

/** The fields of a StatefulSet that its owner may change later. */
interface Settings {
  readonly minReadySeconds: unknown;
  readonly revisionHistoryLimit: unknown;
  readonly ordinals: unknown;
  readonly updateStrategy: object;
}

export type Role = "stable" | "canary";

interface NamedObject {
  readonly metadata: { readonly name: string };
}

/** Returns the names of both StatefulSets. */
export function setNames({ metadata: { name } }: NamedObject): Readonly<Record<Role, string>> {
  return { stable: `${name}-stable`, canary: `${name}-canary` };
}

/** Returns the arguments of metric queries. */
export function queryNames(object: StatefulCanary): CanaryNames {
  const names = setNames(object);
  const canarySelector = formatLabelSelector({ matchLabels: labelsOf(object, "canary") });
  return { ...names, ...matchStatefulSets(names.stable, names.canary), canarySelector };
}

/** Returns the labels by which a set selects its pods. */
function labelsOf({ metadata: { name } }: StatefulCanary, role: Role): Readonly<Record<string, string>> {
  return { "app.kubernetes.io/name": name, "app.kubernetes.io/role": role };
}

/**
 * Builds a set from the template, with its own selector and labels. Omits the retention policy of volume claims: scaling a canary
 * down must never delete a volume.
 */
export function buildSet(object: StatefulCanary, role: Role, image: string, replicas: number): object {
  const { name, namespace, uid, labels: own } = object.metadata;
  const { persistentVolumeClaimRetentionPolicy: _, ...template } = object.spec.template;
  const labels = labelsOf(object, role);
  return {
    apiVersion: "apps/v1",
    kind: "StatefulSet",
    metadata: {
      name: setNames(object)[role],
      namespace,
      labels: { ...own, ...labels },
      ownerReferences: [{ apiVersion: apiVersionOf(resource), kind: resource.kind, name, uid, controller: true }],
    },
    spec: {
      ...template,
      serviceName: template.serviceName ?? name,
      replicas,
      selector: { matchLabels: labels },
      template: podTemplate(object, role, image),
    },
  };
}

/** Returns a patch of the fields of a StatefulSet that may be changed, besides its replicas and pod template. */
export function settingsOf(spec: Partial<Settings>): object {
  const { minReadySeconds = null, revisionHistoryLimit = null, ordinals = null, updateStrategy } = spec;
  const strategy = updateStrategy === undefined ? null : { $patch: "replace", ...updateStrategy };
  return { minReadySeconds, revisionHistoryLimit, ordinals, updateStrategy: strategy };
}

/** Returns the owner's pod template with this image in its first container. */
export function podTemplate(object: StatefulCanary, role: Role, image: string): PodTemplate {
  const { metadata, spec } = object.spec.template.template ?? {};
  const containers = (spec?.containers ?? []).map((one, index) => (index === 0 ? { ...one, image } : one));
  return withLabels({ ...(metadata === undefined ? {} : { metadata }), spec: { ...spec, containers } }, object, role);
}

export function withLabels(template: PodTemplate, object: StatefulCanary, role: Role): PodTemplate {
  const labels = { ...template.metadata?.labels, ...labelsOf(object, role) };
  return { ...template, metadata: { ...template.metadata, labels } };
}
