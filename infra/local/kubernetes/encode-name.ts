import { randomBytes } from "node:crypto";

/** The letters of names that Kubernetes generates: no vowels, and no digits that look like letters. */
const letters = "bcdfghjklmnpqrstvwxz2456789";

/** Returns the five letters that end a generated name. */
export function randomSuffix(): string {
  return encode([...randomBytes(5)]);
}

/** Encodes a hash as Kubernetes does (`rand.SafeEncodeString`): only ten of the letters occur. */
export function encodeHash(hash: number): string {
  return encode(Array.from(String(hash), (digit) => digit.charCodeAt(0)));
}

function encode(codes: readonly number[]): string {
  return codes.map((code) => letters[code % letters.length]).join("");
}
