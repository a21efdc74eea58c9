/** A tag list has two levels, an image index with annotations four. */
const maxDepth = 32;
/** Twice the tags of a repository. A value takes up to ten times its bytes once it is parsed. */
const maxValues = 200_000;

const [quote, comma, backslash] = [0x22, 0x2c, 0x5c];
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Returns why JSON must not be parsed: it is nested too deeply, or has too many values. null if it may, valid or not. */
export function jsonBoundReason(bytes: Uint8Array): string | null {
  if (isSurelyBounded(bytes)) return null;
  let depth = 0;
  let values = 0;
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index];
    if (byte === quote) index = endOfString(bytes, index);
    else if (byte === closeList || byte === closeObject) depth -= 1;
    else if (byte === openList || byte === openObject) {
      depth += 1;
      values += 1;
      if (depth > maxDepth) return `JSON that is nested more than ${maxDepth} levels deep`;
    } else if (byte === comma) values += 1;
    if (values > maxValues) return `JSON of more than ${maxValues} values`;
  }
  return null;
}

/** Reports whether so few bytes open a list or an object that nothing needs to be counted: nearly every page of tags has one of each. */
function isSurelyBounded(bytes: Uint8Array): boolean {
  return bytes.length <= maxValues && countUpTo(bytes, openList) + countUpTo(bytes, openObject) <= maxDepth;
}

/** Counts a byte, at most one more than the levels that are allowed. */
function countUpTo(bytes: Uint8Array, byte: number): number {
  let count = 0;
  for (let at = bytes.indexOf(byte); at !== -1 && count <= maxDepth; at = bytes.indexOf(byte, at + 1)) count += 1;
  return count;
}

/** Returns the index of the closing quotation mark; the end if there is none. */
function endOfString(bytes: Uint8Array, start: number): number {
  let index = start + 1;
  while (index < bytes.length && bytes[index] !== quote) index += bytes[index] === backslash ? 2 : 1;
  return index;
}
