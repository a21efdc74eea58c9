import { apiVersionOf, type PodTemplate } from "../objects.ts";
import { resource, type StatefulCanary } from "./stateful-canary-object.ts";

export type Role = "stable" | "canary";

/** Both sets of a StatefulCanary, by what they are called; queries know them by these names too. */
export function setNames({ metadata: { name } }: StatefulCanary): Readonly<Record<Role, string>> {
  return { stable: `${name}-stable`, canary: `${name}-canary` };
}

/** What a set selects its pods by, and nothing else does. */
export function labelsOf({ metadata: { name } }: StatefulCanary, role: Role): Readonly<Record<string, string>> {
  return { "app.kubernetes.io/name": name, "app.kubernetes.io/role": role };
}

/**
 * One set of the template, with selector and labels of its own. Whatever the template says of claims that go with their
 * pods is left out: a volume is never deleted by scaling a canary down.
 */
export function setOf(object: StatefulCanary, role: Role, image: string, replicas: number): object {
  const { name, namespace, uid } = object.metadata;
  const { persistentVolumeClaimRetentionPolicy: _, ...template } = object.spec.template;
  const labels = labelsOf(object, role);
  return {
    apiVersion: "apps/v1",
    kind: "StatefulSet",
    metadata: {
      name: setNames(object)[role],
      namespace,
      labels,
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

/** The template of the owner's, with this image in its first container. */
export function podTemplate(object: StatefulCanary, role: Role, image: string): PodTemplate {
  const { metadata, spec } = object.spec.template.template ?? {};
  const containers = (spec?.containers ?? []).map((one, index) => (index === 0 ? { ...one, image } : one));
  return withLabels({ ...(metadata === undefined ? {} : { metadata }), spec: { ...spec, containers } }, object, role);
}

export function withLabels(template: PodTemplate, object: StatefulCanary, role: Role): PodTemplate {
  const labels = { ...template.metadata?.labels, ...labelsOf(object, role) };
  return { ...template, metadata: { ...template.metadata, labels } };
}
