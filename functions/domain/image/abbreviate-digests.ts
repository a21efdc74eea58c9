/** Shortens every digest in a text to its first twelve digits, as `docker images` does (`prod@sha256:0123456789ab`). */
export function abbreviateDigests(text: string): string {
  return text.replaceAll(/\b((?:sha(?:256|384|512)|config):[0-9a-f]{12})[0-9a-f]+/g, "$1");
}
