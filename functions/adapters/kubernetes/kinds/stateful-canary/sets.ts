import { isDeepStrictEqual } from "node:util";
import { annotations } from "../../../../domain/workload/policy/annotations.ts";
import { isComplete } from "../../../../domain/workload/canary/follow.ts";
import { canaryReplicas as canaryCount, partitionFor } from "../../../../domain/workload/canary/size.ts";
import { isAsWritten } from "../../../../domain/image/reference.ts";
import { CanaryUnsupported } from "../../../../ports/errors.ts";
import type { KubernetesApi } from "../../api.ts";
import type { PodTemplate } from "../../objects.ts";
import type { Canary } from "../canary/canary-strategy.ts";
import { type StatefulCanary, templateImage } from "./object.ts";
import { deleteStuckPods } from "./pods.ts";
import { podTemplate, type Role, setNames, settingsOf, buildSet, withLabels } from "./set.ts";
import { rolloutOf } from "../built-in/built-in-kind.ts";
import { type StatefulSet, statefulSet } from "../built-in/stateful-set.ts";

const sets = statefulSet.resource;
const strategic = "application/strategic-merge-patch+json";

export type FoundSet = StatefulSet | "not-owned" | null;

/** Returns the set if this StatefulCanary owns it; "not-owned" if its name is taken, null if it does not exist. */
export async function findSet(object: StatefulCanary, role: Role, api: KubernetesApi): Promise<FoundSet> {
  const found = await api.get<StatefulSet>(sets, object.metadata.namespace, setNames(object)[role]);
  if (found === null) return null;
  const isOwned = found.metadata.ownerReferences?.some(({ uid }) => uid === object.metadata.uid) ?? false;
  return isOwned ? found : "not-owned";
}

export function notOwnedReason(object: StatefulCanary, role: Role): string {
  return `a StatefulSet ${setNames(object)[role]} exists and is not managed by Pawl; rename or delete it`;
}

/**
 * Runs `image` in the canary set, and scales the stable set down when the pods of that are ready, without changing its pod template.
 * Creates the sets if they do not exist. Can be repeated. A later step keeps the pod template and the settings of the canary set: what
 * was tested is promoted. Returns how many replicas each set has then.
 */
export async function startSets(
  object: StatefulCanary,
  canary: Canary,
  api: KubernetesApi,
  isLaterStep = false,
): Promise<SetCounts> {
  const { image, size } = canary;
  const { totalReplicas } = object.spec;
  const canaryReplicas = canaryCount(size, totalReplicas);
  const stable = await findOrCreateSet(object, "stable", templateImage(object) ?? image, totalReplicas, api);
  const set = await findOrCreateSet(object, "canary", image, canaryReplicas, api);
  const kept = partitionFor(size, totalReplicas);
  const isReady = isLaterStep && set.spec.replicas === canaryReplicas && isComplete(rolloutOf(set, statefulSet));
  const stableReplicas = isReady ? kept : Math.max(kept, Math.min(stable.spec.replicas ?? 1, totalReplicas));
  await patchSet(stable, { replicas: stableReplicas }, api, null);
  const begun = isLaterStep
    ? {}
    : { template: podTemplate(object, "canary", image), settings: settingsOf(object.spec.template) };
  await patchSet(set, { replicas: canaryReplicas, ...begun }, api);
  return { stableReplicas, canaryReplicas };
}

/** How many replicas the two sets have. */
export interface SetCounts {
  readonly stableReplicas: number;
  readonly canaryReplicas: number;
}

/**
 * Runs the canary's template in the stable set, on all replicas. The replaced template is kept in an annotation for a rollback, and
 * a repeated call does not overwrite it. The canary keeps running until the stable set is complete.
 */
export async function promoteStable(object: StatefulCanary, image: string, api: KubernetesApi): Promise<void> {
  const { totalReplicas: replicas, canaryReplicas: requested } = object.spec;
  const stable = await findOrCreateSet(object, "stable", templateImage(object) ?? image, replicas, api);
  const isPromoted = previousOf(stable) !== undefined && isAsWritten(imageOf(stable) ?? "", image);
  const canary = requested === 0 ? null : await findSet(object, "canary", api);
  const isOfImage = canary !== null && canary !== "not-owned" && isAsWritten(imageOf(canary) ?? "", image);
  const settings = settingsOf(isOfImage ? canary.spec : object.spec.template);
  if (isPromoted) return patchSet(stable, { replicas, settings }, api);
  const template = isOfImage
    ? withLabels(canary.spec.template, object, "stable")
    : podTemplate(object, "stable", image);
  if (isDeepStrictEqual(stable.spec.template, template)) return patchSet(stable, { replicas, settings }, api);
  await patchSet(stable, { replicas, template, settings }, api, JSON.stringify(stable.spec.template));
}

export async function scaleCanaryDown(object: StatefulCanary, api: KubernetesApi): Promise<void> {
  const canary = await findSet(object, "canary", api);
  if (canary !== null && canary !== "not-owned") await patchSet(canary, { replicas: 0 }, api);
}

/** Restores all replicas of the stable set after a failure, and its previous template if it was promoted, unless it has to keep its own. */
export async function restoreStable(object: StatefulCanary, api: KubernetesApi, isKept = false): Promise<void> {
  const stable = await findSet(object, "stable", api);
  if (stable === null || stable === "not-owned") return;
  const before = isKept ? undefined : previousOf(stable);
  const template = before === undefined ? {} : { template: JSON.parse(before) as PodTemplate };
  await patchSet(stable, { replicas: object.spec.totalReplicas, ...template }, api, null);
}

/** Removes the previous template after a successful promotion: it is not needed for a rollback any more. */
export async function clearPreviousTemplate(object: StatefulCanary, api: KubernetesApi): Promise<void> {
  const stable = await findSet(object, "stable", api);
  if (stable !== null && stable !== "not-owned") await patchSet(stable, {}, api, null);
}

export async function deleteCanary(object: StatefulCanary, api: KubernetesApi): Promise<void> {
  const canary = await findSet(object, "canary", api);
  if (canary !== null && canary !== "not-owned") await api.delete(sets, canary.metadata);
}

export function imageOf({ spec }: StatefulSet): string | null {
  return spec.template.spec.containers[0]?.image ?? null;
}

async function findOrCreateSet(
  object: StatefulCanary,
  role: Role,
  image: string,
  replicas: number,
  api: KubernetesApi,
): Promise<StatefulSet> {
  const { namespace } = object.metadata;
  const found = await findSet(object, role, api);
  const set = found ?? (await api.create<StatefulSet>(sets, namespace, buildSet(object, role, image, replicas)));
  if (set === "not-owned" || set === null) throw new CanaryUnsupported(notOwnedReason(object, role));
  return set;
}

interface SetChange {
  readonly replicas?: number;
  readonly template?: PodTemplate;
  readonly settings?: object;
}

/** `previousTemplate`: null removes the annotation, undefined keeps it. Skips the patch if nothing would change. */
async function patchSet(
  set: StatefulSet,
  { replicas, template, settings }: SetChange,
  api: KubernetesApi,
  previousTemplate?: string | null,
): Promise<void> {
  const isKept = previousTemplate === undefined || (previousTemplate ?? undefined) === previousOf(set);
  const isSame = replicas === undefined || replicas === set.spec.replicas;
  if (isKept && isSame && template === undefined && settings === undefined) return deleteStuckPods(set, api);
  const body = {
    ...(isKept ? {} : { metadata: { annotations: { [annotations.previousTemplate]: previousTemplate } } }),
    spec: {
      ...settings,
      ...(replicas === undefined ? {} : { replicas }),
      ...(template === undefined ? {} : { template: { $patch: "replace", ...template } }),
    },
  };
  const after = await api.patch<StatefulSet>(sets, set.metadata, strategic, body);
  await deleteStuckPods(after, api);
}

/** Returns the pod template that a promotion replaced; undefined if none was, or a rollback has restored it. */
export function previousOf({ metadata }: StatefulSet): string | undefined {
  return metadata.annotations?.[annotations.previousTemplate];
}
