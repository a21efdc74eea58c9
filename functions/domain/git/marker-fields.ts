import type { GitTarget } from "./git-target.ts";
import { type FieldPart, fieldsOf, type FoundFields, joinFields, problemAt } from "./image-field.ts";
import { parseYaml, type YamlScalar } from "./yaml-scalars.ts";

const token = '"$imagepolicy"';
const marker = /^#[^{]*\{ *"\$imagepolicy" *: *"([^"]*)" *\}/;
const parts: Readonly<Record<string, FieldPart>> = { "": "reference", name: "name", tag: "tag", digest: "digest" };

interface Marker {
  /** Of the `#` before it. */
  readonly at: number;
  /** After NAMESPACE:NAME. */
  readonly part: string;
}

/** Finds the fields that Flux's markers name: `# {"$imagepolicy": "NAMESPACE:NAME"}`, with `:tag`, `:name` or `:digest` for a part. */
export function findMarkerFields(files: ReadonlyMap<string, string>, target: GitTarget): FoundFields {
  return joinFields(
    [...files].map(([path, text]) => findInFile(path, text, `${target.namespace}:${target.autoUpdate}`)),
  );
}

function findInFile(path: string, text: string, policy: string): FoundFields {
  if (!text.includes(token) || !text.includes(policy)) return { kind: "fields", fields: [] };
  const markers = markersOf(text, policy);
  if (markers.length === 0) return { kind: "fields", fields: [] };
  const parsed = parseYaml(text);
  if (parsed.kind === "broken")
    return problemAt(path, text, parsed.at, `the file is not valid YAML: ${parsed.message}; correct it`);
  return joinFields(markers.map((one) => fieldOfMarker(path, text, one, parsed.scalars)));
}

function markersOf(text: string, policy: string): readonly Marker[] {
  const found: Marker[] = [];
  for (let at = text.indexOf(token); at !== -1; at = text.indexOf(token, at + 1)) {
    const start = text.lastIndexOf("#", at);
    const end = text.indexOf("\n", at);
    const [, named = ""] = marker.exec(text.slice(start, end === -1 ? undefined : end)) ?? [];
    if (start !== -1 && `${named}:`.startsWith(`${policy}:`))
      found.push({ at: start, part: named.slice(policy.length + 1) });
  }
  return found;
}

function fieldOfMarker(path: string, text: string, { at, part }: Marker, scalars: readonly YamlScalar[]): FoundFields {
  const fieldPart = parts[part];
  if (fieldPart === undefined)
    return problemAt(path, text, at, `the marker ends with :${part}; use :tag, :name, :digest or none of them`);
  const before = text.slice(text.lastIndexOf("\n", at) + 1, at).trimEnd();
  const end = at - (text.slice(0, at).length - text.slice(0, at).trimEnd().length);
  const scalar = scalars.find((one) => one.end === end && one.start < end);
  const around = scalars.find((one) => one.start < at && one.end > at);
  const reason = around === undefined ? misplaced(before, scalar) : "is inside a text, and no comment";
  if (reason !== null || scalar === undefined)
    return problemAt(path, text, at, `the marker ${reason}; write it behind a field, as in image: NAME:TAG # MARKER`);
  return fieldsOf(path, text, [{ scalar, part: fieldPart }]);
}

/** Says why a marker names no field; null if it names one. */
function misplaced(before: string, scalar: YamlScalar | undefined): string | null {
  if (before === "" || before === "\uFEFF") return "is on a line of its own";
  if (scalar === undefined)
    return /[:-]$/.test(before) ? "is on a mapping, a list or an empty field" : "is behind a flow collection";
  if (scalar.isFlow) return "is in a flow collection";
  return typeof scalar.keys.at(-1) === "string" ? null : "is on an item of a list";
}
