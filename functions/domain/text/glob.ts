/** Reports whether some text matches both globs. */
export function globsOverlap(one: string, other: string): boolean {
  // `overlaps[at]`: what is left of `one` overlaps with `other` from there.
  let overlaps: boolean[] = [];
  for (let inOne = one.length; inOne >= 0; inOne -= 1) {
    const next = overlaps;
    overlaps = [];
    for (let at = other.length; at >= 0; at -= 1) {
      const [a, b] = [one[inOne], other[at]];
      if (a === "*" || b === "*") overlaps[at] = (next[at] ?? false) || (overlaps[at + 1] ?? false);
      else if (a === undefined || b === undefined) overlaps[at] = a === b;
      else overlaps[at] = (a === b || a === "?" || b === "?") && next[at + 1] === true;
    }
  }
  return overlaps[0] as boolean;
}

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
