/** Encodes a URI component by RFC 3986: SigV4 also escapes the five characters that `encodeURIComponent` leaves. */
export function escapeUri(text: string): string {
  return encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
