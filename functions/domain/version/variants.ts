import { parseCommaList } from "../text/comma-list.ts";
import { type ParseError, invalid } from "../text/parse-error.ts";

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

/** Goes back to the last star only: at most the product of both lengths, unlike a regular expression. */
function matchesGlob(glob: string, text: string): boolean {
  let [at, inGlob, star, resume] = [0, 0, -1, 0];
  while (at < text.length) {
    if (glob[inGlob] === "*") {
      star = inGlob;
      resume = at;
      inGlob += 1;
    } else if (glob[inGlob] === "?" || glob[inGlob] === text[at]) {
      inGlob += 1;
      at += 1;
    } else if (star === -1) {
      return false;
    } else {
      resume += 1;
      at = resume;
      inGlob = star + 1;
    }
  }
  return /^\**$/.test(glob.slice(inGlob));
}
