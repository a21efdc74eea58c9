import { isDeepStrictEqual } from "node:util";
import { annotations } from "../../../domain/annotations.ts";
import { sameImage } from "../../../domain/image-reference.ts";
import { CanaryRefused } from "../../errors.ts";
import type { KubernetesApi } from "../api.ts";
import type { PodTemplate } from "../objects.ts";
import { type StatefulCanary, templateImage } from "./stateful-canary-object.ts";
import { freeStuckPods } from "./stateful-canary-pods.ts";
import { podTemplate, type Role, setNames, setOf, withLabels } from "./stateful-canary-set.ts";
import { type StatefulSet, statefulSet } from "./stateful-set.ts";

const sets = statefulSet.resource;
const strategic = "application/strategic-merge-patch+json";

/** A set that this very StatefulCanary owns; "foreign" where another's has its name, null where there is none. */
export async function findSet(
  object: StatefulCanary,
  role: Role,
  api: KubernetesApi,
): Promise<StatefulSet | "foreign" | null> {
  const found = await api.get<StatefulSet>(sets, object.metadata.namespace, setNames(object)[role]);
  if (found === null) return null;
  const isOwned = found.metadata.ownerReferences?.some(({ uid }) => uid === object.metadata.uid) ?? false;
  return isOwned ? found : "foreign";
}

export function foreignProblem(object: StatefulCanary, role: Role): string {
  return `a StatefulSet ${setNames(object)[role]} stands there already and is not Pawl's: rename or remove it`;
}

/**
 * Makes room in the stable set, whose pod template stays as it is, and lets the canary set run `image`. Only the first
 * time is the stable set made, of the template. Repeated, it changes nothing more.
 */
export async function startSets(object: StatefulCanary, image: string, api: KubernetesApi): Promise<void> {
  const { totalReplicas, canaryReplicas } = object.spec;
  const replicas = totalReplicas - canaryReplicas;
  const stable = await ownOrMade(object, "stable", templateImage(object) ?? image, replicas, api);
  await patchSet(stable, { replicas }, api, null);
  const canary = await ownOrMade(object, "canary", image, canaryReplicas, api);
  await patchSet(canary, { replicas: canaryReplicas, template: podTemplate(object, "canary", image) }, api);
}

/**
 * Lets the stable set run what the canary set was found good with, on all replicas. The template that it replaces is kept
 * on the set, for the way back; repeated, that is not overwritten.
 */
export async function promoteStable(object: StatefulCanary, image: string, api: KubernetesApi): Promise<void> {
  const { totalReplicas: replicas, canaryReplicas } = object.spec;
  const stable = await ownOrMade(object, "stable", templateImage(object) ?? image, replicas, api);
  const isPromoted = previousOf(stable) !== undefined && sameImage(imageOf(stable) ?? "", image);
  if (isPromoted) return patchSet(stable, { replicas }, api);
  const canary = canaryReplicas === 0 ? null : await findSet(object, "canary", api);
  const isOfImage = canary !== null && canary !== "foreign" && sameImage(imageOf(canary) ?? "", image);
  const template = isOfImage
    ? withLabels(canary.spec.template, object, "stable")
    : podTemplate(object, "stable", image);
  if (isDeepStrictEqual(stable.spec.template, template)) return patchSet(stable, { replicas }, api);
  await patchSet(stable, { replicas, template }, api, JSON.stringify(stable.spec.template));
}

export async function scaleCanaryDown(object: StatefulCanary, api: KubernetesApi): Promise<void> {
  const canary = await findSet(object, "canary", api);
  if (canary !== null && canary !== "foreign") await patchSet(canary, { replicas: 0 }, api);
}

/** After a failure: no canary pods any more, and a stable set that was promoted has the template of before. */
export async function takeSetsBack(object: StatefulCanary, api: KubernetesApi): Promise<void> {
  await scaleCanaryDown(object, api);
  const stable = await findSet(object, "stable", api);
  if (stable === null || stable === "foreign") return;
  const before = stable.metadata.annotations?.[annotations.previousTemplate];
  if (before !== undefined) await patchSet(stable, { template: JSON.parse(before) as PodTemplate }, api, null);
}

/** The promotion stands: there is no way back any more. */
export async function settleStable(object: StatefulCanary, api: KubernetesApi): Promise<void> {
  const stable = await findSet(object, "stable", api);
  if (stable !== null && stable !== "foreign") await patchSet(stable, {}, api, null);
}

export async function removeCanary(object: StatefulCanary, api: KubernetesApi): Promise<void> {
  const canary = await findSet(object, "canary", api);
  if (canary !== null && canary !== "foreign") await api.remove(sets, canary.metadata);
}

export function imageOf({ spec }: StatefulSet): string | null {
  return spec.template.spec.containers[0]?.image ?? null;
}

async function ownOrMade(
  object: StatefulCanary,
  role: Role,
  image: string,
  replicas: number,
  api: KubernetesApi,
): Promise<StatefulSet> {
  const { namespace } = object.metadata;
  const found = await findSet(object, role, api);
  const set = found ?? (await api.create<StatefulSet>(sets, namespace, setOf(object, role, image, replicas)));
  if (set === "foreign" || set === null) throw new CanaryRefused(foreignProblem(object, role));
  return set;
}

interface SetChange {
  readonly replicas?: number;
  readonly template?: PodTemplate;
}

/** `previousTemplate` null takes the former template away, undefined leaves it. What is so already is not written. */
async function patchSet(
  set: StatefulSet,
  { replicas, template }: SetChange,
  api: KubernetesApi,
  previousTemplate?: string | null,
): Promise<void> {
  const isKept = previousTemplate === undefined || (previousTemplate ?? undefined) === previousOf(set);
  const isSame = replicas === undefined || replicas === set.spec.replicas;
  if (isKept && isSame && template === undefined) return freeStuckPods(set, api);
  const body = {
    ...(isKept ? {} : { metadata: { annotations: { [annotations.previousTemplate]: previousTemplate } } }),
    spec: {
      ...(replicas === undefined ? {} : { replicas }),
      ...(template === undefined ? {} : { template: { $patch: "replace", ...template } }),
    },
  };
  const after = await api.patch<StatefulSet>(sets, set.metadata, strategic, body);
  await freeStuckPods(after, api);
}

function previousOf({ metadata }: StatefulSet): string | undefined {
  return metadata.annotations?.[annotations.previousTemplate];
}
