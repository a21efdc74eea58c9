import { isFields, type Fields } from "../objects.ts";

/** The lists that are merged item by item, and the field that tells their items apart (core/v1 and apps/v1). */
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

/** A merge patch that knows which lists are keyed. `$patch: delete` and `$patch: replace` are honoured, `$retainKeys` is not. */
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
  return patch.reduce<readonly unknown[]>((list, item) => mergeItem(list, item, mergeKey), target);
}

/** Items that the patch does not name stay; an item it names for the first time goes to the end. */
function mergeItem(list: readonly unknown[], item: Fields, mergeKey: string): readonly unknown[] {
  const isSame = (other: unknown): boolean => isFields(other) && other[mergeKey] === item[mergeKey];
  if (item["$patch"] === "delete") return list.filter((other) => !isSame(other));
  if (!list.some(isSame)) return [...list, strategicMergePatch({}, item)];
  return list.map((other) => (isSame(other) ? strategicMergePatch(other, item) : other));
}

function removeFromSet(merged: Record<string, unknown>, key: string, values: unknown): void {
  const field = key.slice(key.indexOf("/") + 1);
  const list = merged[field];
  if (Array.isArray(list) && Array.isArray(values)) merged[field] = list.filter((value) => !values.includes(value));
}
