import { hidden } from "./hidden.ts";

/** A run of the characters of base64, in both alphabets, and the end of its last line. */
const run = /[A-Za-z0-9+/_-]{32,}={0,2}(?:\s[A-Za-z0-9+/]{1,76}={1,2})?/g;

/** The digest of a file as npm writes it, and the fingerprint of a public key. */
const isDigest = /^sha(?:256|384|512)-/;
const fingerprint = "SHA256:";

/** Part of a UUID, a digest or a commit. */
const hex = /[0-9a-fA-F]{12,}/g;

/** Between words of a path or a name, and between those of a name of a class. */
const separator = /[/+_=\s-]+/;
const hump = /(?<=[a-z\d])(?=[A-Z])/;

/** `lib`, `Service`, `README`, `python3`, `2026`. */
const word = /^(?:[A-Z]?[a-z]+\d{0,2}|[A-Z]+\d{0,2}|\d+)$/;
/** Random text has shorter ones. */
const minWordLength = 4;

/**
 * Below these, what is left beside ordinary words is a name too, such as one with a hash of Kubernetes in it. Of 100,000 drawn secrets of 32
 * to 112 characters 0.1 % were, and 0.4 % of the paths and names in 13,000 files were not.
 */
const minLength = 12;
const minChanges = 0.3;
/** Names have no digits, and change less often than random letters. */
const minChangesOfLetters = 0.38;

/** Replaces long text that is random: keys and tokens in base64. Paths, names, UUIDs, digests and commits are none. */
export function redactRandomText(text: string): string {
  return text.replaceAll(run, (found, at: number) => {
    const isPublic = isDigest.test(found) || text.slice(Math.max(0, at - fingerprint.length), at) === fingerprint;
    return !isPublic && isRandom(found) ? hidden : found;
  });
}

function isRandom(found: string): boolean {
  const rest = found
    .replaceAll(hex, "")
    .split(separator)
    .filter((part) => !word.test(part))
    .flatMap((part) => part.split(hump))
    .filter((part) => part.length < minWordLength || !word.test(part))
    .join("");
  if (rest.length < minLength || !/[a-z]/.test(rest) || !/[A-Z]/.test(rest)) return false;
  const kinds = Array.from(rest, kindOf);
  const changes = kinds.filter((kind, index) => index > 0 && kind !== kinds[index - 1]).length;
  return changes / (rest.length - 1) >= (kinds.includes("digit") ? minChanges : minChangesOfLetters);
}

function kindOf(character: string): "upper" | "lower" | "digit" {
  if (character >= "a") return "lower";
  return character >= "A" ? "upper" : "digit";
}
