import { annotations } from "../../../domain/annotations.ts";
import type { Change } from "../../../domain/workload.ts";
import type { KubernetesObject, PodTemplate } from "../objects.ts";

export interface BuiltInObject extends KubernetesObject {
  readonly spec: { readonly template: PodTemplate };
}

/** The container that is kept up to date: the one that is named, otherwise the first. */
export function containerOf(object: BuiltInObject) {
  const { containers } = object.spec.template.spec;
  const named = object.metadata.annotations?.[annotations.container];
  return named ? containers.find(({ name }) => name === named) : containers[0];
}

/** Merged by the container's name. With nothing to go back to the template stays as it is. */
export function imagePatch(object: BuiltInObject, { image }: Pick<Change, "image">): object | null {
  const container = containerOf(object);
  if (image === undefined || image === null || container === undefined) return null;
  return { template: { spec: { containers: [{ name: container.name, image }] } } };
}
