import { isScalar, parseDocument } from "yaml";
import { isSameRepository, parseImageReference, splitReference } from "../image/reference.ts";
import { findFields, readImage } from "./find-image.ts";
import type { GitTarget, WrittenImage } from "./git-target.ts";
import { type ImageField, problemOf, textOf } from "./image-field.ts";

interface Edit {
  readonly field: ImageField;
  readonly value: string;
}

/** Writes an image to the fields of a target. All other bytes stay, and a field that does not exist is not added. */
export function writeImage(files: ReadonlyMap<string, string>, target: GitTarget, image: string): WrittenImage {
  const parsed = parseImageReference(image);
  if ("kind" in parsed) return { kind: "problem", reason: `${image}: ${parsed.reason}` };
  const found = findFields(files, target);
  if (found.kind === "problem") return found;
  const read = readImage(found.fields, target);
  if (read.kind === "problem") return read;
  const { name } = splitReference(image);
  const [first] = found.fields;
  if (first !== undefined && !found.fields.some(hasName) && !isSameRepository(name, target.image))
    return problemOf(
      first,
      `the fields have a version only, and ${name} is not ${target.image}; add a field with the name`,
    );
  const edits: Edit[] = [];
  for (const field of found.fields) {
    const value = valueFor(field, image);
    const reason = refuse(field, value, image);
    if (reason !== null) return problemOf(field, reason);
    if (value !== null && value !== field.scalar.value) edits.push({ field, value });
  }
  const changed = new Set(edits.map(({ field }) => field.path));
  const written = [...changed].map(
    (path) =>
      [
        path,
        apply(
          `${files.get(path)}`,
          edits.filter(({ field }) => field.path === path),
        ),
      ] as const,
  );
  return { kind: "written", files: new Map(written) };
}

function hasName({ part }: ImageField): boolean {
  return part === "reference" || part === "name";
}

/** From the last one on, so that the offsets of the others stay. */
function apply(text: string, edits: readonly Edit[]): string {
  return edits
    .toSorted((one, other) => other.field.scalar.start - one.field.scalar.start)
    .reduce((edited, { field: { scalar }, value }) => {
      const source = `${scalar.quote}${value}${scalar.quote}`;
      return `${edited.slice(0, scalar.start)}${source}${edited.slice(scalar.end)}`;
    }, text);
}

/** Returns the new value of a field, as far as the field holds the image. */
function valueFor(field: ImageField, image: string): string | null {
  const { part } = field;
  const wanted = splitReference(image);
  if (part === "tag" || part === "digest") return wanted[part];
  const present = splitReference(textOf(field)).name;
  // A name keeps its spelling: nginx is docker.io/library/nginx.
  const name = isSameRepository(present, wanted.name) ? present : wanted.name;
  return name + (part === "name" ? "" : image.slice(wanted.name.length));
}

/** Says why a value cannot be written to a field; null if it can. */
function refuse({ part, scalar }: ImageField, value: string | null, image: string): string | null {
  if (value === null) return `the field has a ${part}, and ${image} has none; set policy.pin, or remove the field`;
  if (scalar.quote !== "" || isString(value) === isString(scalar.value)) return null;
  // Quotes that are added now would stay when the image before is restored.
  return `${isString(value) ? scalar.value : value} is no string in YAML; put the value in quotes`;
}

/** Reports whether every version of YAML reads a plain scalar as a string: 1.10 is a number. */
function isString(text: string): boolean {
  return (["1.1", "1.2"] as const).every((version) => {
    const { contents, errors } = parseDocument(text, { version, prettyErrors: false });
    return errors.length === 0 && isScalar(contents) && contents.value === text;
  });
}
