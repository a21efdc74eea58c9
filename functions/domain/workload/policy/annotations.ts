import { canaryFields } from "./fields/canary-fields.ts";
import { candidateFields } from "./fields/candidate-fields.ts";
import { gateFields } from "./fields/gate-fields.ts";
import { digestFields, restartFields } from "./fields/restart-fields.ts";
import { updateFields } from "./fields/update-fields.ts";

/** Every annotation that Pawl reads or writes. */
export const annotations = {
  ...namesOf(updateFields),
  ...namesOf(gateFields),
  ...namesOf(candidateFields),
  ...namesOf(canaryFields),
  ...namesOf(restartFields),
  /** On a pod of a StatefulSet or DaemonSet whose pods Pawl replaces: `true` keeps it as it is. */
  frozen: "pawl.dev/frozen",
  /** On an AutoUpdate, and on a kind that records its own updates: what a person asks of Pawl. */
  request: "pawl.dev/request",

  /**
   * On a built-in kind: what Pawl set last and its execution, for people. An update in flight of a StatefulCanary; a Claw
   * has the first three under its own prefix.
   */
  targetImage: "pawl.dev/target-image",
  updatePhase: "pawl.dev/update-phase",
  updateStarted: "pawl.dev/update-started",
  execution: "pawl.dev/execution",
  previousImage: "pawl.dev/previous-image",
  targetDigests: "pawl.dev/target-digests",
  /** On a Claw or StatefulCanary: the image that failed, while Pawl cleans up after its rollback. */
  rollingBack: "pawl.dev/rolling-back",

  /** On a StatefulSet with a canary: its partition, so that it differs from one that a person set. */
  canaryPartition: "pawl.dev/canary-partition",
  /** On a StatefulCanary: an abort that Pawl recorded, so that another execution finishes it. */
  canaryVerdict: "pawl.dev/canary-verdict",
  /** On the stable set of a StatefulCanary: the pod template that a promotion replaced, for a rollback. */
  previousTemplate: "pawl.dev/previous-template",
} as const;

/** Shown by `kubectl rollout history`: https://kubernetes.io/docs/reference/labels-annotations-taints/#change-cause */
export const changeCauseAnnotation = "kubernetes.io/change-cause";

/** The annotations of kubernetes-image-updater, under its own names, so that its users can switch by stopping it. */
export const imageUpdaterAnnotations = {
  enabled: digestFields.digest.annotation,
  lastDigest: "image-updater.eznix86.github.io/last-digest",
  trackContainers: digestFields.digestContainers.annotation,
  ignoreContainers: digestFields.digestIgnoreContainers.annotation,
  trackInitContainers: digestFields.digestInitContainers.annotation,
} as const;

/** The finalizer that it adds to every workload that opted in; it blocks deletion until it is removed. */
export const imageUpdaterFinalizer = "image-updater.eznix86.github.io/finalizer";

/** On the pod template: set by `kubectl rollout restart`. */
export const restartedAtAnnotation = "kubectl.kubernetes.io/restartedAt";

/** The three annotations that request an update from k8s4claw's operator. */
export const clawAnnotations = {
  targetImage: "claw.prismer.ai/target-image",
  updatePhase: "claw.prismer.ai/update-phase",
  updateStarted: "claw.prismer.ai/update-started",
} as const;

/** The one value of an update-phase annotation that means "in flight"; any other value is idle. */
export const healthCheckPhase = "HealthCheck";

/** The phase during a restart. Kinds of others have no such phase. */
export const restartPhase = "Restart";

/** The phase during a canary. Kinds of others have no such phase. */
export const canaryPhase = "Canary";

type Named<Fields> = {
  readonly [Name in keyof Fields as Fields[Name] extends { readonly annotation: string } ? Name : never]: string;
};

/** Of the fields that an annotation can say. */
function namesOf<Fields extends Readonly<Record<string, { readonly annotation: string | null }>>>(
  fields: Fields,
): Named<Fields> {
  const named = Object.entries(fields).filter(([, { annotation }]) => annotation !== null);
  return Object.fromEntries(named.map(([name, { annotation }]) => [name, annotation])) as Named<Fields>;
}
