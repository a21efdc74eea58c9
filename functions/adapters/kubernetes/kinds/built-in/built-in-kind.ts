import type { GitScope } from "../../../../domain/workload/git/write-to.ts";
import type { PolicyDefaults } from "../../../../domain/workload/policy/defaults.ts";
import type { Rollout } from "../../../../domain/workload/workload.ts";
import type { Resource } from "../../objects.ts";
import type { CanaryStrategy } from "../canary/canary-strategy.ts";
import { primaryContainer } from "../pod-template/container.ts";
import type { DigestOptions } from "../digest/digest-tracking.ts";
import type { ClaimHolder } from "../kind.ts";
import type { BuiltInObject } from "../pod-template/pod-template.ts";

/** The part of a built-in kind that differs from the others. */
export interface BuiltInKind<T extends BuiltInObject> {
  readonly resource: Resource;
  /** Returns the replica counts of its status. */
  readonly rollout: (object: T) => Omit<Rollout, "generation" | "observedGeneration" | "image">;
  readonly observedGeneration: (object: T) => number | undefined;
  /** Returns why the kind's controller would not roll out a changed template; null if it would. A partition is expected in a canary. */
  readonly unsupportedReason: (object: T, isCanary: boolean) => string | null;
  /** How it runs a canary, or why it cannot. */
  readonly canary: CanaryStrategy<T> | string;
}

export interface BuiltInSettings {
  readonly digests: DigestOptions;
  /** Whether releases are recorded. */
  readonly releases?: boolean;
  /** Whether updates may have hooks. */
  readonly hooks: boolean;
  /** The repositories that may name the images of workloads; null if they are not known. */
  readonly git?: readonly GitScope[] | null;
  /** What the deployment says about policies. */
  readonly defaults?: readonly PolicyDefaults[];
  readonly holder: ClaimHolder;
  readonly now: () => Date;
}

export function canaryStrategyOf<T extends BuiltInObject>({ canary }: BuiltInKind<T>): CanaryStrategy<T> | null {
  return typeof canary === "string" ? null : canary;
}

/** Returns the replica counts and generations of an object. */
export function rolloutOf<T extends BuiltInObject>(object: T, kind: BuiltInKind<T>): Rollout {
  const { generation = 1 } = object.metadata;
  const observedGeneration = kind.observedGeneration(object) ?? 0;
  return { ...kind.rollout(object), image: primaryContainer(object)?.image ?? null, generation, observedGeneration };
}
