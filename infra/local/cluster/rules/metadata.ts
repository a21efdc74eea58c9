import type { ObjectMeta } from "../objects.ts";

/** Empty maps and lists are left out, as Kubernetes writes them. */
export function tidy(metadata: ObjectMeta): ObjectMeta {
  const filled = Object.entries(metadata).filter(
    ([, value]) => value !== undefined && (typeof value !== "object" || Object.keys(value as object).length > 0),
  );
  return Object.fromEntries(filled) as unknown as ObjectMeta;
}

/** What a writer asks for, with all that belongs to the server as it was. */
export function mergedMetadata(current: ObjectMeta, asked: Partial<ObjectMeta>): ObjectMeta {
  const { labels: _l, annotations: _a, ownerReferences: _o, finalizers: _f, ...owned } = current;
  return tidy({
    ...owned,
    ...(asked.labels && { labels: asked.labels }),
    ...(asked.annotations && { annotations: asked.annotations }),
    ...(asked.ownerReferences && { ownerReferences: asked.ownerReferences }),
    ...(asked.finalizers && { finalizers: asked.finalizers }),
  });
}
