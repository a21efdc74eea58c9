import { sameImage } from "../../../domain/image-reference.ts";
import type { ObjectCondition } from "../conditions.ts";
import type { KubernetesObject, ObjectMeta, PodTemplate, Resource } from "../objects.ts";
import type { AutoUpdateStatus } from "./claw-status.ts";

export const resource: Resource = {
  group: "pawl.dev",
  version: "v1alpha1",
  plural: "statefulcanaries",
  kind: "StatefulCanary",
};

/** Stands only while an update is in flight: at rest nothing holds a deletion up. */
export const finalizer = "pawl.dev/stateful-canary";

export type CanaryPhase = "Initializing" | "Progressing" | "Analyzing" | "Promoting" | "Succeeded" | "Failed";

export interface StatefulCanaryStatus {
  readonly currentPhase?: CanaryPhase;
  /** The image that the phase is about, and the generation that its sets were made of. */
  readonly image?: string;
  readonly observedGeneration?: number;
  readonly stableReplicas?: number;
  readonly canaryReplicas?: number;
  /** Measurements that failed in the present run. */
  readonly analysisRetries?: number;
  readonly lastTransitionTime?: string;
  readonly message?: string;
  readonly conditions?: readonly ObjectCondition[];
  readonly autoUpdate?: AutoUpdateStatus;
}

/** A StatefulSetSpec, as far as it is looked into; the rest is handed on. */
export interface SetSpec {
  readonly serviceName?: string;
  readonly updateStrategy?: { readonly type?: string; readonly rollingUpdate?: { readonly partition?: number } };
  readonly template?: Partial<PodTemplate>;
  readonly [field: string]: unknown;
}

export interface StatefulCanary extends KubernetesObject {
  readonly metadata: ObjectMeta & { readonly finalizers?: readonly string[]; readonly deletionTimestamp?: string };
  readonly spec: {
    readonly totalReplicas: number;
    readonly canaryReplicas: number;
    readonly canaryImage: string;
    readonly template: SetSpec;
    readonly analysis?: Readonly<Record<string, unknown>>;
    readonly healthTimeout?: string;
  };
  readonly status?: StatefulCanaryStatus;
}

export function isBeingDeleted({ metadata }: StatefulCanary): boolean {
  return metadata.deletionTimestamp !== undefined;
}

/** The first container's image in the template: what the stable set begins with. */
export function templateImage({ spec }: StatefulCanary): string | null {
  return spec.template.template?.spec?.containers[0]?.image ?? null;
}

/** The image that is still to be tried; null where this image of this very generation came to its end, good or bad. */
export function wantedImage({ metadata, spec, status = {} }: StatefulCanary): string | null {
  const isOver = status.currentPhase === "Succeeded" || status.currentPhase === "Failed";
  const isOfThis = status.observedGeneration === metadata.generation && sameImage(status.image ?? "", spec.canaryImage);
  return isOver && isOfThis ? null : spec.canaryImage;
}
