/** RFC 3986: a signature wants the five that `encodeURIComponent` leaves as they are, and no `+` for a blank. */
export function escapeUri(text: string): string {
  return encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
