import type { Change } from "../../../../domain/workload/update/change.ts";
import { annotations } from "../../../../domain/workload/policy/annotations.ts";
import { hasBaseline } from "../../../../domain/workload/canary/analysis-runs.ts";
import { canaryAnnotation, sizesOf, stepsOf } from "../../../../domain/workload/canary/progress.ts";
import { noStableReason } from "../../../../domain/workload/canary/size.ts";
import type { CanaryNames } from "../../../../domain/workload/canary/pod-names.ts";
import type { Policy, Rollout } from "../../../../domain/workload/workload.ts";
import type { AnnotationPatch } from "../../annotation-codec.ts";
import type { KubernetesApi } from "../../api.ts";
import type { ObjectMeta } from "../../objects.ts";
import type { BuiltInObject } from "../pod-template/pod-template.ts";

/** How a kind runs a few replicas on the target image while the others keep the current one. */
export interface CanaryStrategy<T extends BuiltInObject> {
  /** Reads the rollout of the canary replicas; null if there are none. `rollout` is that of the whole workload. */
  read(object: T, known: CanaryContext, api: KubernetesApi): Promise<Rollout | null>;
  /** Reports what is in the way of a new canary, while no update is in flight. Its policy may request none any more. */
  inspect(object: T, policy: Policy, api: KubernetesApi): Promise<CanaryObstacle>;
  /**
   * Reports whether a canary may be left although none is requested, without asking the API server. `recorded` is the execution
   * of the last update in the history.
   */
  mayBeLeft(object: T, recorded: string | null): boolean;
  /** Reports whether the metadata of a workload says that a canary runs in it, or is left. */
  isMarked(metadata: ObjectMeta): boolean;
  /** Returns the name of the workload that an object is the canary of; null if it is none. */
  ownerName(metadata: ObjectMeta): string | null;
  /** Returns the names of both sets of pods for metric queries. `api` is null while no canary runs. */
  names(object: T, policy: Policy, api: KubernetesApi | null): CanaryNames | Promise<CanaryNames>;
  /** Returns the part of the workload's patch that starts the canary, or (null) ends it, in this change. */
  patch(object: T, canary: Canary | null, change: Change): CanaryPatch;
  /**
   * Returns the image that all pods run again once a canary that is left is removed; null if that is the image of the template, and
   * if it is not known.
   */
  imageBefore(object: T, api: KubernetesApi): Promise<string | null>;
  /** Returns the name of the autoscaler that averages over the pods of the canary too; null if there is none. */
  autoscaler(object: T, api: KubernetesApi): Promise<string | null>;
  /** Creates the canary object if the kind has one, and its baseline if the policy asks for one. Brings those that exist to their size. */
  create(object: T, canary: Canary, policy: Policy, api: KubernetesApi): Promise<void>;
  /** Deletes both objects; does nothing if they do not exist. */
  delete(object: T, api: KubernetesApi): Promise<void>;
}

/** What a canary within the replicas of a workload has in common: all pods are its own. */
export const ownReplicas = {
  isMarked: ({ annotations: from = {} }: ObjectMeta) => from[annotations.canaryPartition] !== undefined,
  ownerName: () => null,
  autoscaler: async () => null,
  async create() {},
  async delete() {},
};

const noBaseline = "only a Deployment has pods beside its replicas; use stable";

/** Returns what is in the way of a canary within the replicas of a workload: `unsupported`, or a size that leaves none of them stable. */
export function inspectOwnReplicas(policy: Policy, replicas: number, unsupported: string | null): CanaryObstacle {
  if (hasBaseline(policy)) return { kind: "unsupported", reason: `${annotations.baseline}: ${noBaseline}` };
  const sizes = sizesOf(stepsOf(policy)).map((size) => noStableReason(size, replicas));
  const reason = unsupported ?? sizes.find((one) => one !== null);
  return reason === undefined
    ? { kind: "none" }
    : { kind: "unsupported", reason: `${canaryAnnotation(policy)}: ${reason}` };
}

interface CanaryContext {
  readonly rollout: Rollout;
  readonly policy: Policy;
}

/** "left": a canary whose update is not recorded any more, to be removed. "unsupported": for the owner to fix. */
export type CanaryObstacle =
  | { readonly kind: "none" | "left" }
  | { readonly kind: "unsupported"; readonly reason: string };

export type Canary = NonNullable<Change["canary"]>;

interface CanaryPatch {
  readonly annotations?: AnnotationPatch;
  readonly spec?: object;
}
