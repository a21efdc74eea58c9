/** Reports whether a text matches: `*` is any text, `?` one character. Goes back to the last star only: at most the product of both lengths, unlike a regular expression. */
export function matchesGlob(glob: string, text: string): boolean {
  let [at, inGlob, star, resume] = [0, 0, -1, 0];
  while (at < text.length) {
    if (glob[inGlob] === "*") {
      star = inGlob;
      resume = at;
      inGlob += 1;
    } else if (glob[inGlob] === "?" || glob[inGlob] === text[at]) {
      inGlob += 1;
      at += 1;
    } else if (star === -1) {
      return false;
    } else {
      resume += 1;
      at = resume;
      inGlob = star + 1;
    }
  }
  return /^\**$/.test(glob.slice(inGlob));
}
