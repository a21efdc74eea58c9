import { pinToDigest } from "../../functions/domain/image/reference.ts";
import type { Digests, DigestTracking } from "../../functions/domain/workload/digest/tracking.ts";
import type { RestartUpdate } from "../../functions/domain/workload/update/in-flight.ts";
import type { Workload } from "../../functions/domain/workload/workload.ts";
import { noon, completeRollout, workload, type WorkloadParts } from "./workloads.ts";

/** Returns a digest by number. */
export function digest(number: number): string {
  return `sha256:${number.toString(16).padStart(64, "0")}`;
}

export const prod = "registry.example/shop/app:prod";
/** The target of a restart for the second digest of `prod`, and its image. */
export const restartTarget = { kind: "digest", image: prod, digest: digest(2) } as const;
export const restartImage = pinToDigest(prod, digest(2));

export const tracking: DigestTracking = {
  containers: [{ name: "app", image: prod }],
  deployed: { app: digest(1) },
  previous: [],
  reverted: null,
  initialDigestPolicy: "restart",
  isBlockedByFinalizer: false,
};

export interface DigestWorkloadParts extends Omit<WorkloadParts, "digests"> {
  readonly digests?: Partial<DigestTracking> | undefined;
}

/** Returns a Deployment that is tracked by digest alone and runs the first digest. */
export function digestWorkload({ digests, ...parts }: DigestWorkloadParts = {}): Workload {
  const rollout = { ...completeRollout, image: prod };
  return workload({ source: null, image: prod, rollout, ...parts, digests: { ...tracking, ...digests } });
}

/** Returns a Deployment that is tracked by tag and digest, at 1.0.0. */
export function tagAndDigestWorkload({ digests, ...parts }: DigestWorkloadParts = {}): Workload {
  const containers = [{ name: "app", image: "registry.example/shop/app:1.0.0" }];
  return workload({ ...parts, digests: { ...tracking, containers, ...digests } });
}

export const restartInFlight: RestartUpdate = {
  target: restartTarget,
  startedAt: noon,
  execution: "e-1",
  previousImage: null,
  digests: { app: digest(2) },
  phase: "restart",
};

/** Returns the same, restarted at noon by execution e-1 for the second digest. */
export function restartingWorkload({ digests, ...parts }: DigestWorkloadParts = {}): Workload {
  const known: Partial<DigestTracking> = { deployed: { app: digest(2) }, previous: [{ app: digest(1) }], ...digests };
  return digestWorkload({ inFlight: restartInFlight, restartedAt: noon, ...parts, digests: known });
}

/** Returns the digest of each container's tag, as a poll observes it. */
export function observedDigests(digests: Digests) {
  return {
    tagDigests: Object.fromEntries(Object.entries(digests).map(([name, one]) => [name, [one]])),
    running: null,
  };
}
