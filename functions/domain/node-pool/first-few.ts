const mostTexts = 5;
const longest = 300;

/** The first five of many texts, each cut, and how many more there are: a thousand nodes may have something to say each. */
export function firstFew(texts: readonly string[], more = "more"): readonly string[] {
  const said = texts.slice(0, mostTexts).map(cut);
  const left = texts.length - said.length;
  return left > 0 ? [...said, `${left} ${more}`] : said;
}

function cut(text: string): string {
  return text.length > longest ? `${text.slice(0, longest - 1)}…` : text;
}
