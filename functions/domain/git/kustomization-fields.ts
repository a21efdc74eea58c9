import { isSameRepository, splitReference } from "../image/reference.ts";
import type { GitTarget } from "./git-target.ts";
import { type FieldPart, fieldsOf, type FoundFields, problemAt } from "./image-field.ts";
import { isKustomization } from "./select-files.ts";
import { parseYaml, type YamlScalar } from "./yaml-scalars.ts";

interface Entry {
  readonly path: string;
  readonly text: string;
  readonly fields: Map<string, YamlScalar>;
  readonly start: number;
}

const maxEntries = 1000;

const versionParts: Readonly<Record<string, FieldPart>> = { newName: "name", newTag: "tag", digest: "digest" };

/** Finds the entry of `images` that sets the image, in a kustomization that sets the namespace of the workload. */
export function findKustomizationFields(files: ReadonlyMap<string, string>, target: GitTarget): FoundFields {
  const named = target.image.slice(target.image.lastIndexOf("/") + 1);
  const entries: Entry[] = [];
  let broken: FoundFields = { kind: "fields", fields: [] };
  for (const [path, text] of files) {
    if (!isKustomization(path.slice(path.lastIndexOf("/") + 1))) continue;
    if (!text.includes(named) || !text.includes(target.namespace)) continue;
    const parsed = parseYaml(text);
    if (parsed.kind === "broken") broken = problemAt(path, text, parsed.at, parsed.reason);
    else if (namespaceOf(parsed.scalars) === target.namespace) {
      const all = entriesOf(path, text, parsed.scalars);
      const extra = all[maxEntries];
      if (extra === undefined) entries.push(...all.filter((entry) => setsImage(entry, target)));
      else broken = problemAt(path, text, extra.start, `more than ${maxEntries} entries in images; remove some`);
    }
  }
  const [entry, other] = entries;
  // Only a file that could have had the entry: one that is broken elsewhere is no matter of this workload.
  if (entry === undefined) return broken;
  if (other !== undefined) return ambiguous(entry, other, target);
  const parts = [...entry.fields].flatMap(([key, scalar]) => {
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

function namespaceOf(scalars: readonly YamlScalar[]): string | undefined {
  return scalars.find(({ keys }) => keys.length === 1 && keys[0] === "namespace")?.value;
}

function entriesOf(path: string, text: string, scalars: readonly YamlScalar[]): readonly Entry[] {
  const entries = new Map<string, Entry>();
  for (const scalar of scalars) {
    const [list, index, key, ...rest] = scalar.keys;
    if (list !== "images" || typeof key !== "string" || rest.length > 0) continue;
    const entry = entries.get(`${index}`);
    if (entry === undefined)
      entries.set(`${index}`, { path, text, start: scalar.start, fields: new Map([[key, scalar]]) });
    else entry.fields.set(key, scalar);
  }
  return [...entries.values()];
}

/** The name may be the one in the manifests, or the new one that runs. */
function setsImage({ fields }: Entry, { image }: GitTarget): boolean {
  const written = fields.get("newName") ?? fields.get("name");
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
