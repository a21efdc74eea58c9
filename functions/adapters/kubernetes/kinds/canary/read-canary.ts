import type { InFlight } from "../../../../domain/workload/update/in-flight.ts";
import type { Policy, Rollout, UpdateRecord, Workload } from "../../../../domain/workload/workload.ts";
import type { KubernetesApi } from "../../api.ts";
import { type BuiltInKind, canaryStrategyOf } from "../built-in/built-in-kind.ts";
import type { CanaryObstacle } from "./canary-strategy.ts";
import type { BuiltInObject } from "../pod-template/pod-template.ts";

/** What is known of a workload before its canary is read. */
interface Known<T extends BuiltInObject> {
  readonly object: T;
  readonly kind: BuiltInKind<T>;
  readonly policy: Policy;
  readonly inFlight: InFlight | null;
  readonly updateRecord: UpdateRecord;
  readonly rollout: Rollout;
  /** Pods of a canary may exist: of one in flight, or promoted. */
  readonly hasCanary: boolean;
}

interface CanaryReading extends Pick<Workload, "canary" | "canaryNames" | "isCanaryLeft"> {
  /** Why no canary can run; null if one can, and if none is requested. */
  readonly obstacle: string | null;
}

/** Reads the canary of an update in flight, or what is in the way of a new one. */
export async function readCanary<T extends BuiltInObject>(known: Known<T>, api: KubernetesApi): Promise<CanaryReading> {
  const { object, kind, inFlight, policy, hasCanary } = known;
  const strategy = canaryStrategyOf(kind);
  const isRunning =
    (inFlight?.phase === "canary" && inFlight.isApplied !== false) || (inFlight?.phase === "rollout" && hasCanary);
  const obstacle = inFlight === null ? await inspect(known, api) : none;
  const { name } = object.metadata;
  return {
    canary: isRunning && strategy !== null ? await strategy.read(object, known, api) : null,
    canaryNames: (await strategy?.names(object, policy, isRunning ? api : null)) ?? { stable: name, canary: name },
    isCanaryLeft: obstacle.kind === "left",
    obstacle: obstacle.kind === "unsupported" ? obstacle.reason : null,
  };
}

const none: CanaryObstacle = { kind: "none" };

/** A canary that is left counts even if none is requested any more. */
async function inspect<T extends BuiltInObject>(
  { object, kind, policy, updateRecord }: Known<T>,
  api: KubernetesApi,
): Promise<CanaryObstacle> {
  const strategy = canaryStrategyOf(kind);
  if (strategy === null) return none;
  if (policy.canary !== null) return strategy.inspect(object, policy, api);
  const recorded = updateRecord.versionHistory.at(-1)?.execution ?? null;
  if (!strategy.mayBeLeft(object, recorded)) return none;
  const found = await strategy.inspect(object, policy, api);
  return found.kind === "left" ? found : none;
}
