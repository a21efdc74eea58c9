/** A class of Unicode, such as `\pL`, has hundreds of ranges. */
const unicodeClassSize = 8;

/** What is read of an expression, and its size. */
interface Part {
  readonly size: number;
  readonly end: number;
}

/**
 * Returns about how many instructions an RE2 expression compiles to, with its repeats expanded. Reads each character once and compiles
 * nothing, so that `\pL{0,1000}` costs nothing to refuse. What is malformed counts as text: the compiler reports it.
 */
export function patternSize(text: string): number {
  // Groups that are not closed and closing brackets that close nothing are parts of one list.
  let [size, at] = [0, 0];
  while (at < text.length) {
    const list = readList(text, at, 0);
    size += list.size + 1;
    at = list.end + 1;
  }
  return size;
}

/** RE2 refuses deeper ones. */
const maxDepth = 1000;

/** Reads up to the bracket that closes a group, or the end. */
function readList(text: string, start: number, depth: number): Part {
  let [size, end] = [0, start];
  while (end < text.length && text[end] !== ")") {
    const atom = readAtom(text, end, depth);
    const repeated = readRepeats(text, atom);
    size += repeated.size;
    end = repeated.end;
  }
  return { size, end };
}

function readAtom(text: string, at: number, depth: number): Part {
  const character = text[at];
  if (character === "\\") return readEscape(text, at);
  if (character === "[") return readClass(text, at);
  if (character !== "(" || depth >= maxDepth) return { size: 1, end: at + 1 };
  const list = readList(text, at + 1, depth + 1);
  return { size: list.size + 2, end: list.end + 1 };
}

const quote = String.raw`\Q`;
const endOfQuote = String.raw`\E`;
const unicodeClass = /\\p(?:\{[^{}]*\}|.)/iy;
const hexadecimal = /\\x\{[^{}]*\}/y;

function readEscape(text: string, at: number): Part {
  if (text.startsWith(quote, at)) {
    const close = text.indexOf(endOfQuote, at);
    const end = close === -1 ? text.length : close;
    return { size: end - at, end: end + endOfQuote.length };
  }
  const known = matchAt(unicodeClass, text, at);
  if (known !== null) return { size: unicodeClassSize, end: at + known.length };
  return { size: 1, end: at + (matchAt(hexadecimal, text, at)?.length ?? 2) };
}

/** A class is one instruction, which compares with its ranges. */
function readClass(text: string, start: number): Part {
  let [size, at] = [1, start + 1];
  if (text[at] === "^") at += 1;
  // A bracket at the start is one of the characters.
  for (let first = at; at < text.length && (text[at] !== "]" || at === first);) {
    const escape = text[at] === "\\" ? readEscape(text, at) : null;
    const name = text.startsWith("[:", at) ? text.indexOf(":]", at) : -1;
    size += (escape?.size ?? 1) / unicodeClassSize;
    at = escape?.end ?? (name === -1 ? at + 1 : name + 2);
  }
  return { size, end: at + 1 };
}

const repeat = /[*+?]|\{(\d{1,4})(,?)(\d{0,4})\}/y;

/** Multiplies by each repeat that follows: `x{2,5}` is compiled as five copies, three of them optional. */
function readRepeats(text: string, { size, end }: Part): Part {
  let part: Part = { size, end };
  for (let found = matchAt(repeat, text, end); found !== null; found = matchAt(repeat, text, part.end)) {
    part = { size: repeatedSize(found, part.size), end: part.end + found.length };
  }
  return part;
}

function repeatedSize(found: string, size: number): number {
  const [min, max] = found.slice(1, -1).split(",");
  if (found.length === 1 || min === undefined) return size + 1;
  if (max === undefined) return size * Number(min);
  return max === "" ? size * Number(min) + size + 1 : (size + 1) * Number(max);
}

function matchAt(pattern: RegExp, text: string, index: number): string | null {
  pattern.lastIndex = index;
  return pattern.exec(text)?.[0] ?? null;
}
