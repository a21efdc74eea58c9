import { isSameRepository, parseImageReference, splitReference } from "../image/reference.ts";
import type { FoundImage, GitTarget } from "./git-target.ts";
import { type FieldProblem, type FoundFields, type ImageField, placeOf, problemOf, textOf } from "./image-field.ts";
import { findKustomizationFields } from "./kustomization-fields.ts";
import { findMarkerFields } from "./marker-fields.ts";
import { summarizeList } from "../text/summarize-list.ts";

/** Finds the image that the files name for a target. If none does, the reason has the files that were not read too. */
export function findImage(
  files: ReadonlyMap<string, string>,
  target: GitTarget,
  skipped: ReadonlyMap<string, string> = new Map(),
): FoundImage {
  const found = findFields(files, target, skipped);
  if (found.kind === "problem") return found;
  const read = readImage(found.fields, target);
  if (read.kind === "problem") return read;
  return { kind: "found", image: read.image, paths: [...new Set(found.fields.map(({ path }) => path))] };
}

/**
 * Finds the fields of a target: the first kind of place that exists. A problem if none does. Every place has the namespace of the workload:
 * an image or an owner that a workload claims would let one tenant write the files of another.
 */
export function findFields(
  files: ReadonlyMap<string, string>,
  target: GitTarget,
  skipped: ReadonlyMap<string, string> = new Map(),
): FoundFields {
  for (const find of [findMarkerFields, findKustomizationFields]) {
    const found = find(files, target);
    if (found.kind === "problem" || found.fields.length > 0) return found;
  }
  const policy = JSON.stringify({ $imagepolicy: `${target.namespace}:${target.autoUpdate}` });
  const unread = summarizeList([...skipped].map(([path, reason]) => `${path}: ${reason}`)).join(". ");
  return {
    kind: "problem",
    reason: `no file names ${target.image}; add the comment # ${policy} behind the field with the image${unread && `. Not read: ${unread}`}`,
  };
}

/** Returns the reference that fields give together. A problem if they disagree, or give none. */
export function readImage(
  fields: readonly ImageField[],
  { image }: GitTarget,
): { readonly kind: "image"; readonly image: string } | FieldProblem {
  const read: { name: string; tag: string | null; digest: string | null } = { name: image, tag: null, digest: null };
  for (const part of ["name", "tag", "digest"] as const) {
    const [one, ...others] = fields.flatMap((field) => {
      const value = partsOf(field)[part];
      return value === undefined ? [] : [{ field, value }];
    });
    if (one === undefined) continue;
    const other = others.find(({ value }) => value !== one.value && !(part === "name" && isSameName(value, one.value)));
    if (other !== undefined)
      return problemOf(
        other.field,
        `${textOf(other.field)} is not ${textOf(one.field)} of ${placeOf(one.field)}; make both the same`,
      );
    Object.assign(read, { [part]: one.value });
  }
  const [first] = fields;
  const reference = `${read.name}${read.tag === null ? "" : `:${read.tag}`}${read.digest === null ? "" : `@${read.digest}`}`;
  const parsed = parseImageReference(reference);
  if (first === undefined || (!("kind" in parsed) && (parsed.tag ?? parsed.digest) !== null))
    return { kind: "image", image: reference };
  return problemOf(
    first,
    "kind" in parsed ? `${parsed.reason}; correct it` : `${reference} has no tag and no digest; add a tag`,
  );
}

type Parts = Partial<Record<"name" | "tag" | "digest", string | null>>;

function partsOf(field: ImageField): Parts {
  return field.part === "reference" ? splitReference(textOf(field)) : { [field.part]: textOf(field) };
}

function isSameName(one: string | null, other: string | null): boolean {
  return one !== null && other !== null && isSameRepository(one, other);
}
