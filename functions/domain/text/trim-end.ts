/** Removes these characters from the end. A regular expression such as `/\/+$/` takes quadratic time on many slashes. */
export function trimEnd(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}
