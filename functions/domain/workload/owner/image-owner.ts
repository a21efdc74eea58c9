/** What an object shows of who manages it. */
export interface OwnerFacts {
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  /** The field managers of the image. */
  readonly managers: readonly FieldManager[];
}

export interface FieldManager {
  readonly manager: string;
  readonly operation: "Apply" | "Update";
}

/** Who sets the image of a workload again, beside Pawl. */
export interface ImageOwner {
  readonly tool: "Argo CD" | "Flux Kustomization" | "Flux HelmRelease" | "Helm" | "field manager";
  /** Of the Application, Kustomization, HelmRelease, release or manager; null if it is not known. */
  readonly name: string | null;
  /** Of the object with this name; null if it is not known. */
  readonly namespace: string | null;
}

const ownManager = "pawl";

/** The field managers of these tools, whose objects also have labels or annotations, unless somebody removes them. */
const managersOfTools: Readonly<Record<string, ImageOwner["tool"]>> = {
  "argocd-controller": "Argo CD",
  "argocd-application-controller": "Argo CD",
  "kustomize-controller": "Flux Kustomization",
  "helm-controller": "Flux HelmRelease",
  helm: "Helm",
};

/** It applies manifests without a server-side apply. Other updates, such as `kubectl edit`, were made once. */
const clientSideApply = "kubectl-client-side-apply";

/**
 * Returns who sets the image of a workload again; null if nobody is known to. The outermost tool counts: Flux and Argo CD render charts,
 * whose objects name the release of Helm too.
 */
export function recognizeOwner({ labels, annotations, managers }: OwnerFacts): ImageOwner | null {
  return (
    namedBy(labels, "helm.toolkit.fluxcd.io", "Flux HelmRelease") ??
    namedBy(labels, "kustomize.toolkit.fluxcd.io", "Flux Kustomization") ??
    argoApplication(labels, annotations) ??
    helmRelease(labels, annotations) ??
    ownerOfField(managers)
  );
}

function namedBy(labels: OwnerFacts["labels"], domain: string, tool: ImageOwner["tool"]): ImageOwner | null {
  const name = labels[`${domain}/name`];
  return name === undefined ? null : { tool, name, namespace: labels[`${domain}/namespace`] ?? null };
}

/** The annotation is APPLICATION:GROUP/KIND:NAMESPACE/NAME, with NAMESPACE_ before an Application outside the one of Argo CD. */
function argoApplication(
  labels: OwnerFacts["labels"],
  { "argocd.argoproj.io/tracking-id": trackingId }: OwnerFacts["annotations"],
): ImageOwner | null {
  const tracked = trackingId?.split(":")[0] ?? labels["argocd.argoproj.io/instance"];
  if (tracked === undefined) return null;
  const [namespace, name] = tracked.includes("_") ? tracked.split("_") : [undefined, tracked];
  return { tool: "Argo CD", name: name || null, namespace: namespace || null };
}

function helmRelease(labels: OwnerFacts["labels"], annotations: OwnerFacts["annotations"]): ImageOwner | null {
  const name = annotations["meta.helm.sh/release-name"];
  if (name === undefined && labels["app.kubernetes.io/managed-by"] !== "Helm") return null;
  return { tool: "Helm", name: name ?? null, namespace: annotations["meta.helm.sh/release-namespace"] ?? null };
}

function ownerOfField(managers: OwnerFacts["managers"]): ImageOwner | null {
  const owning = managers.find(
    ({ manager, operation }) =>
      manager !== ownManager &&
      (operation === "Apply" || manager === clientSideApply || managersOfTools[manager] !== undefined),
  );
  if (owning === undefined) return null;
  const tool = managersOfTools[owning.manager];
  return tool === undefined
    ? { tool: "field manager", name: owning.manager, namespace: null }
    : { tool, name: null, namespace: null };
}

/** Names an owner in a sentence: `Argo CD Application argocd/shop`. */
export function describeOwner({ tool, name, namespace }: ImageOwner): string {
  const full = [namespace, name].filter((part) => part !== null).join("/");
  const what = { "Argo CD": "Argo CD Application", Helm: "Helm release", "field manager": "field manager" } as const;
  const noun = tool in what ? what[tool as keyof typeof what] : tool;
  return full === "" ? tool : `${noun} ${full}`;
}
