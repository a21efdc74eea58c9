/** A text for people: every digest in it keeps its first twelve digits, as `docker images` has it (`prod@sha256:0123456789ab`). */
export function shortenDigests(text: string): string {
  return text.replaceAll(/\b(sha(?:256|384|512):[0-9a-f]{12})[0-9a-f]+/g, "$1");
}
