import { imageForRuntime } from "../../../../functions/adapters/kubernetes/kinds/claw-image.ts";

/** What the stand-in for the operator of k8s4claw reads of a Claw. */
export interface ClawLike {
  readonly metadata: {
    readonly name: string;
    readonly namespace: string;
    readonly uid: string;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly spec: { readonly runtime: string; readonly image?: string };
}

const targetImage = "claw.prismer.ai/target-image";

/** The image of container `runtime`; null for a runtime that has no published image and no `spec.image`. */
export function clawImage({ metadata, spec }: ClawLike): string | null {
  const repository = imageForRuntime(spec.runtime);
  const byDefault = spec.image ?? (repository === null ? null : `${repository}:latest`);
  return metadata.annotations?.[targetImage] ?? byDefault;
}

/**
 * The StatefulSet that runs a Claw: one replica, of the same name and namespace; null where no image is known for it. Its
 * pods are managed in order, as by default: a pod that never becomes ready stays until somebody deletes it.
 */
export function desiredStatefulSet(claw: ClawLike) {
  const image = clawImage(claw);
  if (image === null) return null;
  const { name, namespace, uid } = claw.metadata;
  const labels = { "app.kubernetes.io/name": "claw", "claw.prismer.ai/instance": name };
  const owner = { apiVersion: "claw.prismer.ai/v1alpha1", kind: "Claw", name, uid, controller: true };
  return {
    apiVersion: "apps/v1",
    kind: "StatefulSet",
    metadata: { name, namespace, labels, ownerReferences: [owner] },
    spec: {
      replicas: 1,
      serviceName: name,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: "runtime", image }] } },
    },
  };
}

/** The strategic merge patch that brings an existing set to the Claw's image: a replica count set by hand stays. */
export function runtimeImagePatch(image: string) {
  return { spec: { template: { spec: { containers: [{ name: "runtime", image }] } } } };
}
