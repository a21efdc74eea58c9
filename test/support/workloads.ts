import type { UpdateInput } from "../../functions/contract.ts";
import { emptyBookkeeping } from "../../functions/domain/bookkeeping.ts";
import type { Bookkeeping, InFlight, Policy, Rollout, Workload } from "../../functions/domain/workload.ts";

export const noon = new Date("2026-11-20T12:00:00Z");

export function after(minutes: number): Date {
  return new Date(noon.getTime() + minutes * 60_000);
}

export const image = "registry.example/shop/app:1.0.0";
export const target = "registry.example/shop/app:1.1.0";

export const policy: Policy = {
  enabled: true,
  paused: false,
  versionConstraint: null,
  schedule: null,
  tagPattern: null,
  healthTimeoutSeconds: 600,
  maxRollbacks: 3,
  rollsBackDigests: false,
  canary: null,
  analysis: null,
};

/** Three replicas of the target, all settled. */
export const settled: Rollout = {
  generation: 2,
  observedGeneration: 2,
  image: target,
  desiredReplicas: 3,
  updatedReplicas: 3,
  readyReplicas: 3,
  oldReplicas: 0,
};

export const inFlight: InFlight = {
  targetImage: target,
  startedAt: noon,
  execution: "e-1",
  previousImage: image,
  digests: null,
  phase: "rollout",
};

export interface WorkloadParts extends Omit<Partial<Workload>, "policy" | "bookkeeping"> {
  readonly policy?: Partial<Policy>;
  readonly bookkeeping?: Partial<Bookkeeping>;
}

/** A Deployment at rest that runs 1.0.0, with what a test wants to be otherwise. */
export function workload({ policy: ownPolicy, bookkeeping, ...parts }: WorkloadParts = {}): Workload {
  return {
    ref: { apiVersion: "apps/v1", kind: "Deployment", namespace: "shop", name: "app", uid: "u-1" },
    resourceVersion: "7",
    problems: [],
    source: image,
    image,
    wanted: null,
    digests: null,
    restartedAt: null,
    isPinned: false,
    pull: { secrets: [], serviceAccount: "default" },
    inFlight: null,
    rollout: { ...settled, image },
    canary: null,
    canaryNames: { stable: "app", canary: "app-canary" },
    analysis: null,
    verdict: null,
    announced: { held: null, problem: null },
    ...parts,
    policy: { ...policy, ...ownPolicy },
    bookkeeping: { ...emptyBookkeeping, ...bookkeeping },
  };
}

/** What an execution is started with that brings the workload to 1.1.0. */
export const updateInput: UpdateInput = {
  cluster: "production",
  workload: workload().ref,
  image: target,
  strategy: "rolling",
  digests: "",
  recovering: false,
};

/** The same workload, with an update to 1.1.0 applied at noon by execution e-1. */
export function updating(parts: WorkloadParts = {}): Workload {
  return workload({ image: target, source: target, inFlight, rollout: settled, ...parts });
}

export const canaryInFlight: InFlight = { ...inFlight, phase: "canary" };

/** One replica of the target, settled. */
export const canaryPods: Rollout = { ...settled, desiredReplicas: 1, updatedReplicas: 1, readyReplicas: 1 };

/** The same workload, with a canary of 1.1.0 standing since noon beside it. */
export function canarying({ policy: own, ...parts }: WorkloadParts = {}): Workload {
  const canary = { unit: "replicas", amount: 1 } as const;
  return workload({ inFlight: canaryInFlight, canary: canaryPods, policy: { canary, ...own }, ...parts });
}

/** A Claw as k8s4claw has it: the image is an annotation that may be absent. */
export function claw(parts: WorkloadParts = {}): Workload {
  const source = "ghcr.io/prismer-ai/k8s4claw-openclaw";
  return workload({
    ref: { apiVersion: "claw.prismer.ai/v1alpha1", kind: "Claw", namespace: "agents", name: "helper", uid: "u-2" },
    source,
    image: null,
    rollout: null,
    ...parts,
    policy: { schedule: "0 3 * * *", ...parts.policy },
  });
}
