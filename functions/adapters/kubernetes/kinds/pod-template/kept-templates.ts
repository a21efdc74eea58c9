import { maxKeptBytes } from "../../../../domain/workload/release/find-snapshot.ts";
import { AdmissionDenied, Forbidden } from "../../../../ports/errors.ts";
import type { LabelSelector } from "../../../../domain/text/label-selector.ts";
import type { KubernetesApi } from "../../api.ts";
import { apiVersionOf, type KubernetesObject, type PodTemplate, type Resource } from "../../objects.ts";
import { type BuiltInObject, hashRelease, templateOf } from "./pod-template.ts";

export const controllerRevisions = {
  group: "apps",
  version: "v1",
  plural: "controllerrevisions",
  kind: "ControllerRevision",
};

/** Has the uid of the workload. The labels of its selector are absent: its controller would take the object for its own. */
const keptLabel = "pawl.dev/template-of";

export interface KeptTemplate extends KubernetesObject {
  readonly revision: number;
  readonly data?: { readonly spec?: { readonly template?: PodTemplate } };
}

/** Lists the pod templates that Pawl keeps of a workload. Their names are no evidence of their content. */
export function listKeptTemplates(
  { metadata }: KubernetesObject,
  api: KubernetesApi,
): Promise<readonly KeptTemplate[]> {
  return api.listSelected<KeptTemplate>(controllerRevisions, metadata.namespace, `${keptLabel}=${metadata.uid}`);
}

/**
 * Keeps the pod template of a workload, once per hash. Does nothing if it is too large, if a selector without labels could match the
 * copy, or if the group may not create one.
 */
export async function keepTemplate(object: BuiltInObject, target: Resource, api: KubernetesApi): Promise<void> {
  const { metadata, spec } = object;
  const template = templateOf(object);
  const { selector } = spec as { readonly selector?: LabelSelector };
  const isMatched = Object.keys(selector?.matchLabels ?? {}).length === 0;
  if (isMatched || Buffer.byteLength(JSON.stringify(template)) > maxKeptBytes) return;
  const { name, namespace, uid } = metadata;
  const owner = { apiVersion: apiVersionOf(target), kind: target.kind, name, uid, controller: true };
  await unlessForbidden(async () => {
    await api.create(controllerRevisions, namespace, {
      apiVersion: apiVersionOf(controllerRevisions),
      kind: controllerRevisions.kind,
      metadata: {
        name: `pawl-${uid}-${hashRelease(template)}`,
        namespace,
        labels: { [keptLabel]: uid },
        ownerReferences: [{ ...owner, blockOwnerDeletion: false }],
      },
      data: { spec: { template } },
      revision: 0,
    });
  });
}

/** Deletes the kept templates of a workload that neither a release nor its pod template now has the hash of. */
export async function pruneTemplates(
  object: BuiltInObject,
  releases: readonly { readonly hash: string }[],
  api: KubernetesApi,
): Promise<void> {
  const hashes = [hashRelease(templateOf(object)), ...releases.map(({ hash }) => hash)];
  const isNeeded = ({ metadata }: KubernetesObject) => hashes.some((hash) => metadata.name.endsWith(`-${hash}`));
  await unlessForbidden(async () => {
    const kept = await listKeptTemplates(object, api);
    for (const one of kept.filter((each) => !isNeeded(each))) await api.delete(controllerRevisions, one.metadata);
  });
}

/** Recorders, and updaters without infra/cluster/releases, may not keep templates: those of the controller remain. */
async function unlessForbidden(write: () => Promise<void>): Promise<void> {
  try {
    await write();
  } catch (error) {
    if (!(error instanceof Forbidden || error instanceof AdmissionDenied)) throw error;
  }
}
