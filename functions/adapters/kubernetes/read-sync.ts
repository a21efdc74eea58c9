import * as v from "valibot";
import { truncate } from "../../domain/text/summarize-list.ts";
import type { ImageOwner } from "../../domain/workload/owner/image-owner.ts";
import type { KubernetesApi } from "./api.ts";
import { isForbidden } from "./errors.ts";
import type { Resource } from "./objects.ts";

const applications = { group: "argoproj.io", version: "v1alpha1", plural: "applications", kind: "Application" };
const resources: Partial<Record<ImageOwner["tool"], Resource>> = {
  "Argo CD": applications,
  "Flux Kustomization": {
    group: "kustomize.toolkit.fluxcd.io",
    version: "v1",
    plural: "kustomizations",
    kind: "Kustomization",
  },
  "Flux HelmRelease": { group: "helm.toolkit.fluxcd.io", version: "v2", plural: "helmreleases", kind: "HelmRelease" },
};

/** The tracking id of an Application names no namespace if it is in that of Argo CD. */
const namespaceOfArgo = "argocd";

const text = v.optional(v.string());
const condition = v.object({ type: v.string(), status: v.string(), reason: text });
const schema = v.object({
  spec: v.optional(v.object({ suspend: v.optional(v.boolean()) })),
  status: v.object({
    sync: v.optional(v.object({ status: text, revision: text, revisions: v.optional(v.array(v.string())) })),
    health: v.optional(v.object({ status: text })),
    lastAppliedRevision: text,
    history: v.optional(v.array(v.object({ chartVersion: text }))),
    conditions: v.optional(v.array(condition)),
  }),
});

/** Returns in a sentence which revision the tool that owns a workload has applied; null if that is not known, or must not be read. */
export async function readSync(
  api: Pick<KubernetesApi, "get">,
  { tool, name, namespace }: ImageOwner,
): Promise<string | null> {
  const resource = resources[tool];
  const folder = namespace ?? (tool === "Argo CD" ? namespaceOfArgo : null);
  if (resource === undefined || name === null || folder === null) return null;
  const found = await api.get(resource, folder, name).catch((error: unknown) => {
    if (isForbidden(error)) return null;
    throw error;
  });
  const parsed = v.safeParse(schema, found);
  return parsed.success ? describe(parsed.output) : null;
}

function describe({ spec, status }: v.InferOutput<typeof schema>): string | null {
  const { sync, health, lastAppliedRevision, history, conditions = [] } = status;
  // An Application also has a history.
  const applied = sync ? (sync.revisions?.join(", ") ?? sync.revision) : lastAppliedRevision;
  const revision = applied ?? history?.[0]?.chartVersion;
  if (!revision) return null;
  const ready = conditions.find(({ type }) => type === "Ready");
  const states = [
    sync?.status,
    health?.status,
    ready && (ready.status === "True" ? "Ready" : `not Ready: ${ready.reason ?? "no reason"}`),
    spec?.suspend ? "suspended" : undefined,
  ].filter((one) => one !== undefined);
  return truncate(`it is at ${revision}${states.length === 0 ? "" : ` (${states.join(", ")})`}`);
}
