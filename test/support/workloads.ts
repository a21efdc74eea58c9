import type { RecordSource } from "../../functions/domain/workload/record/record-source.ts";
import type { UpdateInput } from "../../functions/contract/workload-update.ts";
import { noHooks } from "../../functions/domain/workload/hook/hook.ts";
import { emptyUpdateRecord } from "../../functions/domain/workload/record/update-record.ts";
import type { Target } from "../../functions/domain/workload/target/target.ts";
import {
  type CanaryUpdate,
  type Rollback,
  type RolloutUpdate,
  toRollback,
} from "../../functions/domain/workload/update/in-flight.ts";
import type { UpdateRecord, Policy, Rollout, Workload } from "../../functions/domain/workload/workload.ts";

export const noon = new Date("2026-11-20T12:00:00Z");

export function after(minutes: number): Date {
  return new Date(noon.getTime() + minutes * 60_000);
}

export const image = "registry.example/shop/app:1.0.0";
export const target = "registry.example/shop/app:1.1.0";

/** Returns the target of an update to an image. */
export function imageTarget(name: string) {
  return { kind: "image", image: name } as const satisfies Target;
}

export const updateTarget = imageTarget(target);

export const policy: Policy = {
  optIn: "yes",
  paused: false,
  versionConstraint: null,
  schedule: null,
  versioning: null,
  variant: null,
  scheduleToleranceSeconds: 3600,
  windows: [],
  rollsBackAtWindowEnd: false,
  tagPattern: null,
  healthTimeoutSeconds: 600,
  maxRollbacks: 3,
  wave: 0,
  maxRestarts: 3,
  podPauseSeconds: 2,
  scaleDownDelaySeconds: 30,
  onFailure: "hold",
  rollsBackDigests: false,
  canary: null,
  canarySteps: [],
  analysis: null,
  bake: null,
  notify: [],
  hooks: noHooks,
};

/** Three replicas of the target, all updated and ready. */
export const completeRollout: Rollout = {
  generation: 2,
  observedGeneration: 2,
  image: target,
  desiredReplicas: 3,
  updatedReplicas: 3,
  readyReplicas: 3,
  oldReplicas: 0,
};

export const inFlight: RolloutUpdate = {
  target: updateTarget,
  startedAt: noon,
  execution: "e-1",
  previousImage: image,
  digests: null,
  phase: "rollout",
};

/** The same, whose failure is recorded and whose image is restored. */
export const rollingBack: Rollback = toRollback(inFlight, true, noon);

/** The repository that a Claw tracks. */
export const clawRepository = "ghcr.io/prismer-ai/k8s4claw-openclaw";

/** Of a kind that records its updates itself. */
export const ownRecord: RecordSource = {
  resourceVersion: null,
  state: "observed",
  isManaged: false,
  claimedElsewhereUntil: null,
};

export interface WorkloadParts extends Omit<Partial<Workload>, "policy" | "updateRecord"> {
  readonly policy?: Partial<Policy>;
  readonly updateRecord?: Partial<UpdateRecord>;
}

/** Returns an idle Deployment at 1.0.0, with the given differences. */
export function workload({ policy: ownPolicy, updateRecord, ...parts }: WorkloadParts = {}): Workload {
  return {
    ref: { apiVersion: "apps/v1", kind: "Deployment", namespace: "shop", name: "app", uid: "u-1" },
    resourceVersion: "7",
    record: { resourceVersion: "r-7", state: "observed", isManaged: true, claimedElsewhereUntil: null },
    rawPolicy: {},
    problems: [],
    source: image,
    image,
    requestedImage: null,
    digests: null,
    restartedAt: null,
    isPinnedByPawl: false,
    pull: { secrets: [], serviceAccount: "default" },
    inFlight: null,
    backOff: null,
    rollout: { ...completeRollout, image },
    failsWithoutPods: false,
    canary: null,
    isCanaryLeft: false,
    canaryProgress: null,
    canaryNames: { stable: "app", canary: "app-canary" },
    analysis: null,
    request: null,
    lastRequest: null,
    verdict: null,
    lastReported: { held: null, problem: null },
    ...parts,
    policy: { ...policy, ...ownPolicy },
    updateRecord: { ...emptyUpdateRecord, ...updateRecord },
  };
}

/** The input of an execution that updates the workload to 1.1.0. */
export const updateInput: UpdateInput = {
  cluster: "production",
  workload: workload().ref,
  target: updateTarget,
  strategy: "rolling",
  digests: "",
  adopting: false,
};

/** Returns the same workload, with an update to 1.1.0 applied at noon by execution e-1. */
export function updatingWorkload(parts: WorkloadParts = {}): Workload {
  return workload({ image: target, source: target, inFlight, rollout: completeRollout, ...parts });
}

/** Returns the same update, of which only one pod is ready. */
export function failingUpdate(parts: WorkloadParts = {}): Workload {
  return updatingWorkload({ rollout: { ...completeRollout, readyReplicas: 1 }, ...parts });
}

export const canaryInFlight: CanaryUpdate = { ...inFlight, phase: "canary" };

/** One replica of the target, updated and ready. */
export const canaryPods: Rollout = { ...completeRollout, desiredReplicas: 1, updatedReplicas: 1, readyReplicas: 1 };

/** Returns the same workload, with a canary of 1.1.0 beside it since noon. */
export function canaryWorkload({ policy: own, ...parts }: WorkloadParts = {}): Workload {
  const canary = { unit: "replicas", amount: 1 } as const;
  return workload({ inFlight: canaryInFlight, canary: canaryPods, policy: { canary, ...own }, ...parts });
}

/** Returns a Claw of k8s4claw: its image is an annotation that may be absent. */
export function claw(parts: WorkloadParts = {}): Workload {
  const source = clawRepository;
  return workload({
    ref: { apiVersion: "claw.prismer.ai/v1alpha1", kind: "Claw", namespace: "agents", name: "helper", uid: "u-2" },
    record: ownRecord,
    source,
    image: null,
    rollout: null,
    failsWithoutPods: true,
    ...parts,
    policy: { schedule: "0 3 * * *", scheduleToleranceSeconds: null, onFailure: "tryOlder", ...parts.policy },
  });
}
