import { readAnnotations } from "../../../../domain/workload/policy/policy-table.ts";
import { textOf } from "../../../../domain/workload/policy/raw-policy.ts";
import { hasUnknownAnnotation } from "../../../../domain/workload/policy/unknown-annotations.ts";
import { isStale } from "../../auto-update/object.ts";
import { writePaused } from "../../auto-update/pause.ts";
import { deleteAutoUpdate } from "../../auto-update/write.ts";
import { type BuiltInKind, type BuiltInSettings, canaryStrategyOf } from "./built-in-kind.ts";
import { hasConfigOptIn } from "./config-tracking.ts";
import { isTrackedByDigest } from "../digest/digest-tracking.ts";
import type { WorkloadKind } from "../kind.ts";
import type { BuiltInObject } from "../pod-template/pod-template.ts";
import { configured, readBuiltIn } from "./read-built-in.ts";
import { isOnlyCleanup, writeBuiltIn } from "./write-built-in.ts";

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
      const own = metadata.annotations ?? {};
      const raw = readAnnotations(own);
      const value = textOf(raw["autoUpdate"]);
      const isByTag = value !== undefined && value !== "false";
      // A misspelt opt-in must not look like none.
      const isTracked = isByTag || isTrackedByDigest(raw) || hasConfigOptIn(raw) || hasUnknownAnnotation(own);
      return isTracked || (canary?.isMarked(metadata) ?? false);
    },
    canaryOwnerName: (metadata) => canary?.ownerName(metadata) ?? null,
    async read(object, api, autoUpdate) {
      if (autoUpdate === null || !isStale(autoUpdate, object))
        return readBuiltIn(object as T, kind, settings, api, autoUpdate);
      const workload = await readBuiltIn(object as T, kind, settings, api, null);
      return { ...workload, record: { ...workload.record, resourceVersion: autoUpdate.metadata.resourceVersion } };
    },
    async write(target, change, api) {
      const { workload, autoUpdate: found } = target;
      const stale = found !== null && isStale(found, target.object) ? found : null;
      const autoUpdate = stale === null ? found : null;
      if (change.paused !== undefined)
        return writePaused({ ...target, autoUpdate, target: kind.resource }, change.paused, api);
      // Only a recorder may delete it, and creates another one.
      if (stale !== null && !isOnlyCleanup(workload, change)) await deleteAutoUpdate(stale, api);
      const object = configured(target.object as T, autoUpdate);
      return writeBuiltIn({ ...target, autoUpdate, object, kind, settings }, change, api);
    },
  };
}
