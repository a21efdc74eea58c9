import { isFields, type Fields } from "../objects.ts";

/** The lists that are merged item by item, with their merge key (core/v1 and apps/v1). */
const mergeKeys: Readonly<Record<string, string>> = {
  containers: "name",
  initContainers: "name",
  ephemeralContainers: "name",
  env: "name",
  volumes: "name",
  imagePullSecrets: "name",
  volumeMounts: "mountPath",
  volumeDevices: "devicePath",
  ports: "containerPort",
  conditions: "type",
  hostAliases: "ip",
  ownerReferences: "uid",
  containerStatuses: "name",
};

/** Merged as sets: a patch can only add to them. */
const sets = new Set(["finalizers"]);

/** Applies a strategic merge patch. Supports `$patch: delete` and `$patch: replace`, but not `$retainKeys`. */
export function strategicMergePatch(target: unknown, patch: unknown, field = ""): unknown {
  if (Array.isArray(patch)) return mergeList(Array.isArray(target) ? target : [], patch, field);
  if (!isFields(patch)) return patch;
  const { $patch: directive, ...changes } = patch;
  if (directive === "replace") return changes;
  const merged: Record<string, unknown> = isFields(target) ? { ...target } : {};
  for (const [key, value] of Object.entries(changes)) {
    if (key.startsWith("$deleteFromPrimitiveList/")) removeFromSet(merged, key, value);
    else if (key.startsWith("$")) continue;
    else if (value === null || (isFields(value) && value["$patch"] === "delete")) delete merged[key];
    else merged[key] = strategicMergePatch(merged[key], value, key);
  }
  return merged;
}

function mergeList(target: readonly unknown[], patch: readonly unknown[], field: string): unknown {
  if (sets.has(field)) return [...new Set([...target, ...patch])];
  const mergeKey = mergeKeys[field];
  if (mergeKey === undefined || !patch.every(isFields)) return patch;
  if (patch.some((item) => item["$patch"] === "replace")) return patch.filter((item) => !("$patch" in item));
  return mergeItems(target.filter(isFields), patch, mergeKey);
}

/**
 * Merges keyed lists. Items that the patch does not name keep their position relative to the next named item. New items come
 * at their position in the patch, which may be the first, as in kube-apiserver.
 */
function mergeItems(target: readonly Fields[], patch: readonly Fields[], mergeKey: string): readonly Fields[] {
  const positions = new Map(target.map((item, index) => [item[mergeKey], index]));
  const named = new Set(patch.map((item) => item[mergeKey]));
  const untouched = target.filter((item) => !named.has(item[mergeKey]));
  const merged: Fields[] = [];
  for (const item of patch.filter((one) => one["$patch"] !== "delete")) {
    const position = positions.get(item[mergeKey]) ?? -1;
    while (untouched[0] && (positions.get(untouched[0][mergeKey]) ?? 0) < position)
      merged.push(...untouched.splice(0, 1));
    merged.push(strategicMergePatch(target[position], item) as Fields);
  }
  return [...merged, ...untouched];
}

function removeFromSet(merged: Record<string, unknown>, key: string, values: unknown): void {
  const field = key.slice(key.indexOf("/") + 1);
  const list = merged[field];
  if (Array.isArray(list) && Array.isArray(values)) merged[field] = list.filter((value) => !values.includes(value));
}
