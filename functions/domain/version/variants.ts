import { parseCommaList } from "../text/comma-list.ts";
import { type ParseError, invalid } from "../text/parse-error.ts";
import { matchesGlob } from "../text/glob.ts";

/** The variants of a tag that may be chosen, as globs. */
export interface Variants {
  readonly kind: "variants";
  readonly text: string;
  readonly globs: readonly string[];
}

/** Parses globs with commas between them: `*` is any text, `?` one character. */
export function parseVariants(text: string): Variants | ParseError {
  const globs = parseCommaList(text);
  const wrong = globs.find((glob) => !/^[\w.*?-]+$/.test(glob));
  if (wrong !== undefined || globs.length === 0)
    return invalid(wrong ?? text, "is not a variant: use globs such as alpine*, with commas between them");
  return { kind: "variants", text: globs.join(", "), globs };
}

/** Reports whether a variant is one of these. */
export function matchesVariant({ globs }: Variants, variant: string): boolean {
  return globs.some((glob) => matchesGlob(glob, variant));
}
