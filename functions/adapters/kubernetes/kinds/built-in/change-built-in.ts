import type { Change } from "../../../../domain/workload/update/change.ts";
import type { Workload } from "../../../../domain/workload/workload.ts";
import type { KubernetesApi } from "../../api.ts";
import type { AutoUpdate } from "../../auto-update/object.ts";
import { isForbidden } from "../../errors.ts";
import { type BuiltInKind, type BuiltInSettings, canaryStrategyOf } from "./built-in-kind.ts";
import type { BuiltInObject } from "../pod-template/pod-template.ts";
import { workloadPatch } from "./workload-patch.ts";

/** A workload with its AutoUpdate, both as read. */
export interface BuiltInTarget<T extends BuiltInObject> {
  /** With the annotations that say what its policy is. */
  readonly object: T;
  readonly autoUpdate: AutoUpdate | null;
  readonly workload: Workload;
  readonly kind: BuiltInKind<T>;
  readonly settings: BuiltInSettings;
}

/** Returns the one patch of the workload that makes a change; null if it changes only the AutoUpdate. */
export function patchOf<T extends BuiltInObject>(target: BuiltInTarget<T>, change: Change) {
  const { object, autoUpdate, kind, settings } = target;
  return workloadPatch(object, change, {
    strategy: canaryStrategyOf(kind),
    hasCanary: hasCanary(target),
    digests: settings.digests,
    recorded: autoUpdate?.status?.digests,
    moved: autoUpdate?.status?.update?.containers,
    holder: autoUpdate?.status?.update?.execution ?? null,
  });
}

/** Patches the workload, and creates or deletes its canary. The canary of an update that ends is deleted. */
export async function changeWorkload<T extends BuiltInObject>(
  target: BuiltInTarget<T>,
  { canary, inFlight }: Change,
  body: object | null,
  api: KubernetesApi,
): Promise<T | null> {
  const strategy = canaryStrategyOf(target.kind);
  const changed = await patchWorkload(target, body, api);
  if (canary) await strategy?.create(target.object, canary, target.workload.policy, api);
  if ((canary !== null && inFlight !== null) || !hasCanary(target)) return changed;
  try {
    await strategy?.delete(target.object, api);
  } catch (error) {
    // A recorder may release a claim, and must not delete anything: the next poll finds what is left.
    if (canary === null || !isForbidden(error)) throw error;
  }
  return changed;
}

/** Returns the workload after the patch; null without one. */
async function patchWorkload<T extends BuiltInObject>(
  { object, kind }: BuiltInTarget<T>,
  body: object | null,
  api: KubernetesApi,
): Promise<T | null> {
  if (body === null) return null;
  return api.patch<T>(kind.resource, object.metadata, "application/strategic-merge-patch+json", body);
}

/** Reports whether pods of a canary may exist. */
export function hasCanary<T extends BuiltInObject>({ autoUpdate, workload }: BuiltInTarget<T>): boolean {
  return workload.isCanaryLeft || (workload.inFlight !== null && autoUpdate?.status?.update?.hasCanary === true);
}
