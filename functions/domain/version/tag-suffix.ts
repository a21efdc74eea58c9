import { isDate, mayBeHash } from "./commit-hash.ts";

/** What follows the version in a tag. */
export interface TagSuffix {
  readonly prerelease: readonly (string | number)[];
  readonly variant: string;
  readonly revision: readonly number[];
}

/** Words that make a version a pre-release, with its numbers: `-rc.1`, `RC4`, `-preview.7.24405`, `-M26`, `b2`, `-ea-21`. */
const prereleasePattern =
  /^[-_.]?(alpha|beta|rc|preview|pre|dev|snapshot|next|nightly|canary|ea|[abm](?=[-.]?\d))(?![A-Za-z])((?:[-.]?\d+(?:\.\d+)*)?)(?![A-Za-z0-9])/i;

/** A revision after the version: `-r10`, `-h7`, `-1`, `-ls259`, `-p2`, `_11`, `-b06`, or a date. */
const leadingRevision = /^(?:-(?:r|h|ls|p|b)?|_)(\d+)(?![A-Za-z0-9.])/i;

/** A revision after the variant. A bare number there is of the variant: `-debian-12`, `-jre-17`. */
const trailingRevision = /-(r|h|ls|p|)(\d+)$/i;

/** `-eksbuild.3`, `-gke.1678000`: the word is the variant. */
const namedRevision = /-([A-Za-z]+)\.(\d+)$/;

/** With a number they name a platform, not a build of one. */
const platforms =
  /^(?:alpine|debian|ubuntu|centos|fedora|rhel|ubi|el|fc|al|windows|ltsc|php|python|node|ruby|go|java|jdk|jre|pg|cuda)$/i;

const words = /^(?:[-_.]?[A-Za-z0-9]+)?(?:[-_.][A-Za-z0-9]+)*$/;

/** Parses what follows the version; null if it has no order. `isJava`: a version such as 8u432, whose builds are `-b06`. */
export function parseTagSuffix(suffix: string, isJava: boolean): TagSuffix | null {
  if (!words.test(suffix)) return null;
  const prerelease: (string | number)[] = [];
  let rest = suffix;
  for (let match; (match = isJava ? null : prereleasePattern.exec(rest)) !== null; rest = rest.slice(match[0].length)) {
    const [, word = "", digits = ""] = match;
    const numbers = digits.match(/\d+/g) ?? [];
    if (numbers.some(isTooLong) || (digits.startsWith("-") && numbers.some(mayBeHash))) return null;
    prerelease.push(word.toLowerCase(), ...numbers.map(Number));
  }
  const [leadingText = "", leading] = leadingRevision.exec(rest) ?? [];
  if (leading !== undefined && mayBeHash(leading)) return null;
  const after = parseVariant(rest.slice(leadingText.length));
  if (after === null) return null;
  const { variant, trailing } = after;
  const revision = leading === undefined && trailing === -1 ? none : [Number(leading ?? -1), trailing];
  return { prerelease, variant, revision };
}

const none: readonly never[] = [];

function parseVariant(text: string): { readonly variant: string; readonly trailing: number } | null {
  const [namedText = "", word = "", count = ""] = namedRevision.exec(text) ?? [];
  if (namedText !== "" && !platforms.test(word)) {
    if (isTooLong(count)) return null;
    const variant = text.slice(1, text.length - count.length - 1);
    return { variant, trailing: Number(count) };
  }
  const [trailingText = "", letters = "", digits = ""] = trailingRevision.exec(text) ?? [];
  const isRevision = trailingText !== "" && (letters !== "" || isDate(digits));
  if (!isRevision && mayBeHash(digits)) return null;
  if (isTooLong(digits)) return null;
  const variant = (isRevision ? text.slice(0, -trailingText.length) : text).replace(/^[-_.]/, "");
  return { variant, trailing: isRevision ? Number(digits) : -1 };
}

/** Of more digits than a number can have exactly. */
function isTooLong(digits: string): boolean {
  return digits.length > 15;
}
