import { PatchStrategy } from "@kubernetes/client-node";
import { type Objects, plurals, type Workload } from "./objects.ts";

export const lastApplied = "kubectl.kubernetes.io/last-applied-configuration";

/** A manifest without values that the API server sets. */
export type Manifest = Workload;

/** Returns the manifest with the annotation that the next `kubectl apply` compares it with. */
export function withLastApplied(manifest: Manifest): Manifest {
  const annotations = { ...manifest.metadata.annotations, [lastApplied]: JSON.stringify(manifest) };
  return { ...manifest, metadata: { ...manifest.metadata, annotations } };
}

/**
 * `kubectl apply -f MANIFEST`, on the client's side, to an object that was created so: a strategic merge patch that sets what the
 * manifest says, and deletes what the last manifest said and this one does not.
 * https://kubernetes.io/docs/tasks/manage-kubernetes-objects/declarative-config/#merge-patch-calculation
 */
export async function apply(objects: Objects, manifest: Manifest): Promise<void> {
  const { kind, metadata } = manifest;
  const live = await objects.get<Workload>(plurals[kind], metadata.name);
  const before = JSON.parse(live.metadata.annotations?.[lastApplied] ?? "{}") as object;
  const patch = merge(deletions(before, manifest), withLastApplied(manifest));
  await objects.patch(plurals[kind], metadata.name, PatchStrategy.StrategicMergePatch, patch);
}

/** Returns the null of every field that `before` has and `after` has not. Containers and their variables are matched by name. */
function deletions(before: unknown, after: unknown): unknown {
  if (isNamedList(before) && isNamedList(after)) {
    return [
      ...before
        .filter(({ name }) => !after.some((one) => one.name === name))
        .map(({ name }) => ({ $patch: "delete", name })),
      ...after.map((one) =>
        merge(
          { name: one.name },
          deletions(
            before.find(({ name }) => name === one.name),
            one,
          ),
        ),
      ),
    ];
  }
  if (!isRecord(before) || !isRecord(after)) return {};
  return Object.fromEntries(
    Object.entries(before).flatMap(([key, value]) => {
      if (!(key in after)) return [[key, null]];
      const inside = deletions(value, after[key]);
      return Object.keys(inside as object).length === 0 ? [] : [[key, inside]];
    }),
  );
}

/** Merges two parts of a patch. */
function merge(one: unknown, other: unknown): object {
  if (isNamedList(one) && isNamedList(other)) {
    const both = one.map((item) => merge(item, other.find(({ name }) => name === item.name) ?? {}));
    return [...both, ...other.filter(({ name }) => !one.some((item) => item.name === name))];
  }
  if (!isRecord(one) || !isRecord(other)) return other as object;
  const keys = new Set([...Object.keys(one), ...Object.keys(other)]);
  return Object.fromEntries(
    [...keys].map((key) => [
      key,
      key in one && key in other ? merge(one[key], other[key]) : key in other ? other[key] : one[key],
    ]),
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isNamedList(value: unknown): value is readonly { readonly name: string }[] {
  return Array.isArray(value) && value.every((one) => isRecord(one) && typeof one["name"] === "string");
}
