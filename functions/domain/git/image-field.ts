import { lineAt, type YamlScalar } from "./yaml-scalars.ts";

export type FieldPart = "reference" | "name" | "tag" | "digest";

/** A field of a file that has an image, or a part of it. */
export interface ImageField {
  readonly path: string;
  /** Of the file. */
  readonly text: string;
  readonly part: FieldPart;
  readonly scalar: YamlScalar;
}

export interface FieldProblem {
  readonly kind: "problem";
  readonly reason: string;
}

/** What one kind of place in the files says about a target; no fields if the place does not exist. */
export type FoundFields = { readonly kind: "fields"; readonly fields: readonly ImageField[] } | FieldProblem;

/** Formats a problem as `<path>:<line>: <what>; <fix>`. */
export function problemAt(path: string, text: string, offset: number, what: string): FieldProblem {
  return { kind: "problem", reason: `${path}:${lineAt(text, offset)}: ${what}` };
}

/** Creates the fields of scalars; a problem if the source of one cannot be replaced. */
export function fieldsOf(
  path: string,
  text: string,
  scalars: readonly { readonly scalar: YamlScalar; readonly part: FieldPart }[],
): FoundFields {
  const broken = scalars.find(({ scalar }) => scalar.problem !== null)?.scalar;
  if (broken !== undefined) return problemAt(path, text, broken.start, `${broken.problem}`);
  return { kind: "fields", fields: scalars.map(({ scalar, part }) => ({ path, text, part, scalar })) };
}

/** Joins what the files of one kind of place say. The first problem wins. */
export function joinFields(found: readonly FoundFields[]): FoundFields {
  const fields: ImageField[] = [];
  for (const one of found) {
    if (one.kind === "problem") return one;
    fields.push(...one.fields);
  }
  return { kind: "fields", fields };
}

/** Returns the image, or its part, as a field has it. */
export function textOf({ scalar }: ImageField): string {
  return scalar.value;
}

export function placeOf({ path, text, scalar }: ImageField): string {
  return `${path}:${lineAt(text, scalar.start)}`;
}

export function problemOf(field: ImageField, what: string): FieldProblem {
  return { kind: "problem", reason: `${placeOf(field)}: ${what}` };
}
