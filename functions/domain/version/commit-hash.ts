/** Seven to forty hexadecimal digits, after the `g` of `git describe`, or a `v`. */
const hexadecimal = /^[gv]?[0-9a-f]{7,40}$/;

/** Year, month and day, optionally with hour and minute, and second. */
const date = /^(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])(?:[0-2]\d(?:[0-5]\d){1,2})?$/;

/** Reports whether a tag has a word that may be a commit hash. Digits alone are a number. */
export function hasCommitHash(tag: string): boolean {
  if (!/[0-9a-f]{7}/.test(tag)) return false;
  return tag.split(/[-_.]/).some((word) => hexadecimal.test(word) && /[a-f]/.test(word));
}

/** Reports whether digits may be a commit hash: they are as many as one has, and no date. */
export function mayBeHash(digits: string): boolean {
  return digits.length >= 7 && !isDate(digits);
}

/** Reports whether digits are a date, as `20241016` and `202410161530`. */
export function isDate(digits: string): boolean {
  return date.test(digits);
}
