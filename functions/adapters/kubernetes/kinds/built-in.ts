import { annotations } from "../../../domain/workload/annotations.ts";
import { writePaused } from "../auto-update/pause.ts";
import { type BuiltInKind, type BuiltInSettings, canaryStrategyOf } from "./built-in-kind.ts";
import { isTrackedByDigest } from "./digest-tracking.ts";
import type { WorkloadKind } from "./kind.ts";
import type { BuiltInObject } from "./pod-template.ts";
import { configured, readBuiltIn } from "./read-built-in.ts";
import { writeBuiltIn } from "./write-built-in.ts";

/** Creates a kind that opts in by annotations or by an AutoUpdate, which has its policy then, and its updates in its status. */
export function createBuiltInKind<T extends BuiltInObject>(
  kind: BuiltInKind<T>,
  settings: BuiltInSettings,
): WorkloadKind {
  const canary = canaryStrategyOf(kind);
  return {
    resource: kind.resource,
    isStatefulSet: kind.resource.plural === "statefulsets",
    usesAutoUpdate: true,
    listScope: "metadata",
    isOptedIn: ({ metadata }) => {
      const value = metadata.annotations?.[annotations.autoUpdate];
      const isByTag = value !== undefined && value !== "false";
      return isByTag || isTrackedByDigest(metadata) || (canary?.isMarked(metadata) ?? false);
    },
    canaryOwnerName: (metadata) => canary?.ownerName(metadata) ?? null,
    read: (object, api, autoUpdate) => readBuiltIn(object as T, kind, settings, api, autoUpdate),
    write(target, change, api) {
      if (change.paused !== undefined) return writePaused({ ...target, target: kind.resource }, change.paused, api);
      const object = configured(target.object as T, target.autoUpdate);
      return writeBuiltIn({ ...target, object, kind, settings }, change, api);
    },
  };
}
