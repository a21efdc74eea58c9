import type { CanarySize, Rollout } from "../../../domain/workload.ts";
import type { AnnotationPatch } from "../annotated.ts";
import type { KubernetesApi } from "../api.ts";
import type { BuiltInObject } from "./pod-template.ts";

/** How a kind runs a few replicas on the target while the rest keep what they run. */
export interface CanaryMeans<T extends BuiltInObject> {
  /** Those replicas alone, as far as they are there. `rollout` is the whole workload's. */
  read(object: T, rollout: Rollout, api: KubernetesApi): Promise<Rollout | null>;
  /** What stands in the way of making one, for the owner to mend; null where nothing does. */
  obstacle(object: T, api: KubernetesApi): Promise<string | null>;
  /** What queries call the pods of both sides by. */
  names(object: T): { readonly stable: string; readonly canary: string };
  /** What the workload's own patch has to say to begin it, or (null) to end it. */
  patch(object: T, canary: Canary | null): CanaryPatch;
  /** Makes what stands beside the workload, where the kind needs it; there already is as good. */
  make(object: T, canary: Canary, api: KubernetesApi): Promise<void>;
  /** Takes that away; gone already is as good. */
  remove(object: T, api: KubernetesApi): Promise<void>;
}

export interface Canary {
  readonly image: string;
  readonly size: CanarySize;
}

export interface CanaryPatch {
  readonly annotations?: AnnotationPatch;
  readonly spec?: object;
}
