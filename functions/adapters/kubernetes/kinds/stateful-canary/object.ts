import { isSameImage } from "../../../../domain/image/reference.ts";
import type { HealthStatus } from "../../auto-update/status/health-status.ts";
import type { ObjectCondition } from "../../conditions.ts";
import type { KubernetesObject, ObjectMeta, PodTemplate, Resource } from "../../objects.ts";
import type {
  AnalysisStatus,
  BackOffStatus,
  CanaryStatus,
  HookStatus,
  SuspectStatus,
} from "../../auto-update/status/status-fields.ts";
import type { ClawUpdateStatus } from "../claw/claw-status.ts";

export const resource: Resource = {
  group: "pawl.dev",
  version: "v1alpha1",
  plural: "statefulcanaries",
  kind: "StatefulCanary",
};

/** Present only while an update is in flight: when idle, nothing blocks deletion. */
export const finalizer = "pawl.dev/stateful-canary";

type CanaryPhase = "Initializing" | "Progressing" | "Analyzing" | "Promoting" | "Succeeded" | "Failed";

export interface StatefulCanaryStatus {
  readonly currentPhase?: CanaryPhase;
  /** The image of the current phase, and the generation from which its sets were created. */
  readonly image?: string;
  readonly observedGeneration?: number;
  readonly stableReplicas?: number;
  readonly canaryReplicas?: number;
  /** Failed measurements of the current run. */
  readonly analysisRetries?: number;
  readonly lastTransitionTime?: string;
  readonly message?: string;
  readonly conditions?: readonly ObjectCondition[];
  readonly autoUpdate?: ClawUpdateStatus;
  /** Of the canary in flight, or of the last one. */
  readonly analysis?: AnalysisStatus;
  readonly canary?: CanaryStatus;
  /** Since when the update in flight bakes. */
  readonly bakingSince?: string;
  /** What the checks of the update in flight have seen of its pods. */
  readonly health?: HealthStatus;
  /** Of the canary in flight, or of the last one. */
  readonly hook?: HookStatus;
  /** Pods of the stable set that were unavailable before the update in flight. */
  readonly unavailableBefore?: number;
  /** In a rollback: why the target is suspected, and when the update that it ends began. */
  readonly suspect?: SuspectStatus & { readonly startedAt?: string };
  readonly backOff?: BackOffStatus;
}

/** The parts of a StatefulSetSpec that Pawl reads; the rest is passed through. */
interface SetSpec {
  readonly serviceName?: string;
  readonly updateStrategy?: { readonly type?: string; readonly rollingUpdate?: { readonly partition?: number } };
  readonly template?: Partial<PodTemplate>;
  readonly [field: string]: unknown;
}

export interface StatefulCanary extends KubernetesObject {
  readonly metadata: ObjectMeta & { readonly finalizers?: readonly string[]; readonly deletionTimestamp?: string };
  readonly spec: {
    readonly totalReplicas: number;
    /** Absent if there are steps. */
    readonly canaryReplicas?: number;
    readonly steps?: readonly object[];
    readonly canaryImage: string;
    readonly template: SetSpec;
    readonly analysis?: Readonly<Record<string, unknown>>;
    readonly healthTimeout?: string;
    readonly bakeTime?: string;
    readonly hooks?: { readonly prePromotion?: { readonly job: string } };
  };
  readonly status?: StatefulCanaryStatus;
}

export function isBeingDeleted({ metadata }: StatefulCanary): boolean {
  return metadata.deletionTimestamp !== undefined;
}

/** Returns the image of the first container in the template, with which the stable set is created. */
export function templateImage({ spec }: StatefulCanary): string | null {
  return spec.template.template?.spec?.containers[0]?.image ?? null;
}

/** Returns the image to update to; null if the update of this generation to it has succeeded or failed. */
export function pendingImage({ metadata, spec, status = {} }: StatefulCanary): string | null {
  const isOver = status.currentPhase === "Succeeded" || status.currentPhase === "Failed";
  const isOfThis =
    status.observedGeneration === metadata.generation && isSameImage(status.image ?? "", spec.canaryImage);
  return isOver && isOfThis ? null : spec.canaryImage;
}
