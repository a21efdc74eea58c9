import { pinTo } from "../../functions/domain/image-reference.ts";
import type { Digests, DigestTracking } from "../../functions/domain/tracking.ts";
import type { InFlight, Workload } from "../../functions/domain/workload.ts";
import { noon, settled, workload, type WorkloadParts } from "./workloads.ts";

/** One of many digests. */
export function digest(number: number): string {
  return `sha256:${number.toString(16).padStart(64, "0")}`;
}

export const prod = "registry.example/shop/app:prod";
/** What a restart for the second digest behind `prod` is called. */
export const second = pinTo(prod, digest(2));

export const tracking: DigestTracking = {
  containers: [{ name: "app", image: prod }],
  last: { app: digest(1) },
  former: [],
  returning: null,
  firstSight: "restart",
  isHeldBack: false,
};

export interface FollowedParts extends Omit<WorkloadParts, "digests"> {
  readonly digests?: Partial<DigestTracking> | undefined;
}

/** A Deployment that is followed by digest alone, and was started with the first that stood behind its tag. */
export function followed({ digests, ...parts }: FollowedParts = {}): Workload {
  const rollout = { ...settled, image: prod };
  return workload({ source: null, image: prod, rollout, ...parts, digests: { ...tracking, ...digests } });
}

/** A Deployment that is followed by tag and by digest, at 1.0.0. */
export function followedBoth({ digests, ...parts }: FollowedParts = {}): Workload {
  const containers = [{ name: "app", image: "registry.example/shop/app:1.0.0" }];
  return workload({ ...parts, digests: { ...tracking, containers, ...digests } });
}

export const restartInFlight: InFlight = {
  targetImage: second,
  startedAt: noon,
  execution: "e-1",
  previousImage: null,
  digests: { app: digest(2) },
  phase: "restart",
};

/** The same, restarted at noon by execution e-1 for the second digest. */
export function restarting({ digests, ...parts }: FollowedParts = {}): Workload {
  const known: Partial<DigestTracking> = { last: { app: digest(2) }, former: [{ app: digest(1) }], ...digests };
  return followed({ inFlight: restartInFlight, restartedAt: noon, ...parts, digests: known });
}

/** By container: the digest behind its tag. */
export function seen(digests: Digests) {
  return {
    behindTags: Object.fromEntries(Object.entries(digests).map(([name, one]) => [name, [one]])),
    running: null,
  };
}
