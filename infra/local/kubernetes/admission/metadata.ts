import type { ObjectMeta } from "../objects.ts";

/** Removes empty maps and lists, as Kubernetes does. */
export function omitEmpty(metadata: ObjectMeta): ObjectMeta {
  const filled = Object.entries(metadata).filter(
    ([, value]) => value !== undefined && (typeof value !== "object" || Object.keys(value as object).length > 0),
  );
  return Object.fromEntries(filled) as unknown as ObjectMeta;
}

/** Returns the client's labels, annotations, owners and finalizers with the server's current fields. */
export function mergeMetadata(current: ObjectMeta, requested: Partial<ObjectMeta>): ObjectMeta {
  const { labels: _l, annotations: _a, ownerReferences: _o, finalizers: _f, ...owned } = current;
  return omitEmpty({
    ...owned,
    ...(requested.labels && { labels: requested.labels }),
    ...(requested.annotations && { annotations: requested.annotations }),
    ...(requested.ownerReferences && { ownerReferences: requested.ownerReferences }),
    ...(requested.finalizers && { finalizers: requested.finalizers }),
  });
}
