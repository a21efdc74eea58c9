/** For options that take several: given more than once, or with commas between. */
export function addItems(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, ...itemsOf(text)];
}

function itemsOf(text: string): readonly string[] {
  return text
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "");
}
