import { parse } from "semver";
import type { SemVer, Tag } from "./tag.ts";

const loose = /^v?\d+(?:\.\d+){0,2}(?:-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?$/;

/**
 * Parses a whole tag as a version, by the rules of Masterminds/semver 3.4 `NewVersion`: a leading `v`, absent parts (`1.2` is
 * 1.2.0, `20240101` is a major version) and leading zeros are allowed. null if it is not a version, or if a number
 * exceeds 2^53 - 1, which npm semver cannot compare.
 */
export function parseSemVerTag(text: string): Tag | null {
  // Nearly every tag: an object of npm semver, which has ten fields and three texts, takes several times as long.
  const plain = parsePlainTag(text);
  if (plain !== null) return plain;
  if (!loose.test(text)) return null;
  const rest = text.slice(text.search(/[-+]|$/));
  const numbers = text
    .slice(0, text.length - rest.length)
    .replace(/^v/, "")
    .split(".");
  const core = [...numbers, "0", "0"].slice(0, 3).map(stripLeadingZeros).join(".");
  const semver = parse(`${core}${rest}`);
  return semver === null ? null : createTag(text, semver, numbers.length);
}

const none: readonly never[] = [];
const [dot, zero, nine] = [0x2e, 0x30, 0x39];

/** Parses three numbers of at most 15 digits without leading zeros, without an object for each; null for any other text. */
export function parsePlainTag(text: string): Tag | null {
  const parts: [number, number, number] = [0, 0, 0];
  let part = 0;
  let digits = 0;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === dot) {
      if (digits === 0 || part === 2) return null;
      part += 1;
      digits = 0;
    } else {
      const hasLeadingZero = digits === 1 && parts[part] === 0;
      if (code < zero || code > nine || hasLeadingZero || digits === 15) return null;
      parts[part] = (parts[part] as number) * 10 + (code - zero);
      digits += 1;
    }
  }
  if (part !== 2 || digits === 0) return null;
  return createTag(text, { major: parts[0], minor: parts[1], patch: parts[2], prerelease: none }, 3);
}

function createTag(original: string, semver: SemVer, writtenParts: number): Tag {
  return { original, semver, writtenParts, moreParts: none, prefix: "", variant: "", revision: none };
}

function stripLeadingZeros(digits: string): string {
  return digits.replace(/^0+(?=\d)/, "");
}
