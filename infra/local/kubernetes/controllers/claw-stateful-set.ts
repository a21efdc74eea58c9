import { imageForRuntime } from "../../../../functions/adapters/kubernetes/kinds/claw/claw-image.ts";

/** The fields of a Claw that the simulated k8s4claw operator reads. */
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

/** Returns the image of the container `runtime`; null for a runtime without a published image and without `spec.image`. */
export function clawImage({ metadata, spec }: ClawLike): string | null {
  const repository = imageForRuntime(spec.runtime);
  const defaultImage = spec.image ?? (repository === null ? null : `${repository}:latest`);
  return metadata.annotations?.[targetImage] ?? defaultImage;
}

/**
 * Returns the StatefulSet of a Claw: one replica, same name and namespace; null if its image is unknown. With the default
 * OrderedReady policy, a pod that never becomes ready stays until it is deleted.
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

/** Returns the strategic merge patch that sets the image; a manually changed replica count stays. */
export function runtimeImagePatch(image: string) {
  return { spec: { template: { spec: { containers: [{ name: "runtime", image }] } } } };
}
