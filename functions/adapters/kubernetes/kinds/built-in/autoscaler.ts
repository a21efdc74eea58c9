import type { KubernetesApi } from "../../api.ts";
import { isForbidden } from "../../errors.ts";
import type { KubernetesObject, Resource } from "../../objects.ts";

interface Autoscaler extends KubernetesObject {
  readonly spec: { readonly scaleTargetRef: { readonly kind: string; readonly name: string } };
}

/** The version that every cluster serves. */
const resource: Resource = {
  group: "autoscaling",
  version: "v1",
  plural: "horizontalpodautoscalers",
  kind: "HorizontalPodAutoscaler",
};

/** Returns the name of the HorizontalPodAutoscaler that scales a Deployment; null if there is none, or its role may not list them. */
export async function findAutoscaler(
  { namespace, name }: { readonly namespace: string; readonly name: string },
  api: KubernetesApi,
): Promise<string | null> {
  try {
    const found = await api.listSelected<Autoscaler>(resource, namespace, "");
    const own = found.find(
      ({ spec: { scaleTargetRef: target } }) => target.kind === "Deployment" && target.name === name,
    );
    return own?.metadata.name ?? null;
  } catch (error) {
    if (!isForbidden(error)) throw error;
    return null;
  }
}
