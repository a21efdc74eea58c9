import { isSameRepository, splitReference } from "../image/reference.ts";
import type { GitTarget } from "./git-target.ts";
import { type FieldPart, fieldsOf, type FoundFields, problemAt } from "./image-field.ts";
import { isKustomization } from "./select-files.ts";
import { parseYaml, type YamlScalar } from "./yaml-scalars.ts";

interface Entry {
  readonly path: string;
  readonly text: string;
  readonly fields: Readonly<Record<string, YamlScalar>>;
  readonly start: number;
  /** Of the kustomization; null if it sets none. */
  readonly namespace: string | null;
}

const versionParts: Readonly<Record<string, FieldPart>> = { newName: "name", newTag: "tag", digest: "digest" };

/**
 * Finds the entry of `images` in a kustomization that sets the image. Entries of a kustomization with the namespace of the workload win over
 * those of one without a namespace.
 */
export function findKustomizationFields(files: ReadonlyMap<string, string>, target: GitTarget): FoundFields {
  const named = target.image.slice(target.image.lastIndexOf("/") + 1);
  const entries: Entry[] = [];
  let broken: FoundFields = { kind: "fields", fields: [] };
  for (const [path, text] of files) {
    if (!isKustomization(path.slice(path.lastIndexOf("/") + 1)) || !text.includes(named)) continue;
    const parsed = parseYaml(text);
    if (parsed.kind === "broken")
      broken = problemAt(path, text, parsed.at, `not valid YAML: ${parsed.message}; correct it`);
    else entries.push(...entriesOf(path, text, parsed.scalars).filter((entry) => setsImage(entry, target)));
  }
  const own = entries.filter(({ namespace }) => namespace === target.namespace);
  const [entry, other] = own.length > 0 ? own : entries.filter(({ namespace }) => namespace === null);
  // Only a file that could have had the entry: one that is broken elsewhere is no matter of this workload.
  if (entry === undefined) return broken;
  if (other !== undefined) return ambiguous(entry, other, target);
  const parts = Object.entries(entry.fields).flatMap(([key, scalar]) => {
    const part = versionParts[key];
    return part === undefined ? [] : [{ scalar, part }];
  });
  if (parts.every(({ part }) => part === "name")) {
    return problemAt(
      entry.path,
      entry.text,
      entry.start,
      "the entry has no newTag and no digest; add newTag with the running tag",
    );
  }
  return fieldsOf(entry.path, entry.text, parts);
}

function entriesOf(path: string, text: string, scalars: readonly YamlScalar[]): readonly Entry[] {
  const namespace = scalars.find(({ keys }) => keys.join("/") === "namespace")?.value ?? null;
  const entries = new Map<string, Record<string, YamlScalar>>();
  for (const scalar of scalars) {
    const [list, index, key, ...rest] = scalar.keys;
    if (list !== "images" || typeof key !== "string" || rest.length > 0) continue;
    entries.set(`${index}`, { ...entries.get(`${index}`), [key]: scalar });
  }
  return [...entries.values()].map((fields) => ({ path, text, fields, namespace, start: startOf(fields) }));
}

function startOf(fields: Entry["fields"]): number {
  return Math.min(...Object.values(fields).map(({ start }) => start));
}

/** The name may be the one in the manifests, or the new one that runs. */
function setsImage({ fields }: Entry, { image }: GitTarget): boolean {
  const { name, newName } = fields;
  const written = newName ?? name;
  return written !== undefined && isSameRepository(splitReference(written.value).name, image);
}

function ambiguous(one: Entry, other: Entry, { image, namespace, autoUpdate }: GitTarget): FoundFields {
  const policy = JSON.stringify({ $imagepolicy: `${namespace}:${autoUpdate}:tag` });
  return problemAt(
    other.path,
    other.text,
    other.start,
    `${image} has an entry here and in ${one.path}; add the comment # ${policy} behind newTag of the one for this workload`,
  );
}
