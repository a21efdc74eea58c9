import type { GitTarget } from "./git-target.ts";
import { type FieldPart, fieldsOf, type FoundFields, joinFields, problemAt } from "./image-field.ts";
import { documentStarts, moveScalar, parseYaml, type YamlScalar } from "./yaml-scalars.ts";

const marker = /# *\{ *"\$imagepolicy" *: *"([^"\n]*)" *\}/g;
const parts: Readonly<Record<string, FieldPart>> = { "": "reference", name: "name", tag: "tag", digest: "digest" };

const maxMarkers = 1000;

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
  const found = text.includes(`"${policy}`) ? markersOf(text, policy) : [];
  const extra = found[maxMarkers];
  if (extra !== undefined)
    return problemAt(path, text, extra.at, `${policy} has more than ${maxMarkers} markers in this file; remove some`);
  const starts = found.length > 0 ? documentStarts(text) : [];
  return joinFields(found.map((one) => fieldOfMarker(path, text, starts, one)));
}

function markersOf(text: string, policy: string): readonly Marker[] {
  const found = [...text.matchAll(marker)].map((match) => ({ at: match.index, named: String(match[1]) }));
  return found
    .filter(({ named }) => `${named}:`.startsWith(`${policy}:`))
    .map(({ at, named }) => ({ at, part: named.slice(policy.length + 1) }));
}

/** Parses only the document of the marker: a file may have hundreds. */
function fieldOfMarker(path: string, text: string, starts: readonly number[], { at, part }: Marker): FoundFields {
  const fieldPart = parts[part];
  if (fieldPart === undefined)
    return problemAt(path, text, at, `the marker ends with :${part}; use :tag, :name, :digest or none of them`);
  const start = starts.findLast((one) => one <= at) ?? 0;
  const document = text.slice(
    start,
    starts.find((one) => one > at),
  );
  const parsed = parseYaml(document);
  if (parsed.kind === "broken") return problemAt(path, text, start + parsed.at, parsed.reason);
  const scalar = findScalar(document, at - start, parsed.scalars);
  if (typeof scalar === "string")
    return problemAt(path, text, at, `the marker ${scalar}; write it behind a field, as in image: NAME:TAG # MARKER`);
  return fieldsOf(path, text, [{ scalar: moveScalar(scalar, start), part: fieldPart }]);
}

/** Returns the scalar right before a marker on its line, or why the marker names none. */
function findScalar(text: string, at: number, scalars: readonly YamlScalar[]): YamlScalar | string {
  if (scalars.some(({ start, end }) => start < at && end > at)) return "is inside a text, and no comment";
  const before = text.slice(text.lastIndexOf("\n", at) + 1, at);
  const written = before.trimEnd();
  if (written === "") return "is on a line of its own";
  const end = at - before.length + written.length;
  const scalar = scalars.find((one) => one.end === end && one.start < end);
  if (scalar === undefined)
    return /[:-]$/.test(written) ? "is on a mapping, a list or an empty field" : "is behind a flow collection";
  if (scalar.isFlow) return "is in a flow collection";
  return scalar.isItem ? "is on an item of a list" : scalar;
}
