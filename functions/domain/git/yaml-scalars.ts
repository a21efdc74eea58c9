import { isAlias, isMap, isScalar, isSeq, type Node, parseAllDocuments, type Scalar } from "yaml";

/** A scalar or an alias, and where a YAML text has it. */
export interface YamlScalar {
  /** The first three keys and indexes from the root of its document on, and the fourth if there are more. */
  readonly keys: readonly (string | number)[];
  /** Of a list. */
  readonly isItem: boolean;
  /** Offsets of its source, quotes included. */
  readonly start: number;
  readonly end: number;
  /** As it is written, without quotes: a number keeps its form. */
  readonly value: string;
  /** Empty for a plain scalar. */
  readonly quote: string;
  readonly isFlow: boolean;
  /** Why its source cannot be replaced; null if it can. */
  readonly problem: string | null;
}

export type ParsedYaml =
  | { readonly kind: "parsed"; readonly scalars: readonly YamlScalar[] }
  /** `reason` says how to correct it. */
  | { readonly kind: "broken"; readonly at: number; readonly reason: string };

/** Takes two seconds at most. */
const maxCharacters = 256 * 1024;

/** What was parsed last: a document may have the images of hundreds of workloads. */
const known = new Map<string, ParsedYaml>();
const maxKnownCharacters = 1024 * 1024;
let knownCharacters = 0;

interface Context {
  readonly keys: readonly (string | number)[];
  readonly isItem: boolean;
  readonly isFlow: boolean;
  readonly isAnchored: boolean;
}

interface Found {
  readonly scalars: YamlScalar[];
  /** Keys that a mapping has twice. The parser itself compares all keys of a mapping with each other, which takes quadratic time. */
  readonly duplicates: Scalar[];
}

/** Parses all documents of a text once. Offsets count characters of the text, byte order mark and carriage returns included. */
export function parseYaml(text: string): ParsedYaml {
  if (text.length > maxCharacters)
    return { kind: "broken", at: 0, reason: "the document is larger than 256 KiB; move the image to a smaller file" };
  const present = known.get(text);
  if (present !== undefined) return present;
  if (knownCharacters + text.length > maxKnownCharacters) {
    known.clear();
    knownCharacters = 0;
  }
  const parsed = parse(text);
  known.set(text, parsed);
  knownCharacters += text.length;
  return parsed;
}

function parse(text: string): ParsedYaml {
  // Without numbers and dates: a tag such as 1.10 stays as it is written.
  const documents = parseAllDocuments(text, { schema: "failsafe", uniqueKeys: false, prettyErrors: false });
  const found: Found = { scalars: [], duplicates: [] };
  for (const { errors, contents } of documents) {
    const [error] = errors;
    if (error !== undefined) return broken(error.pos[0], error.message);
    collect(text, contents, { keys: [], isItem: false, isFlow: false, isAnchored: false }, found);
  }
  const [key] = found.duplicates;
  if (key === undefined) return { kind: "parsed", scalars: found.scalars };
  return broken(rangeOf(key)[0], `the key ${String(key.value)} exists twice in one mapping`);
}

function broken(at: number, message: string): ParsedYaml {
  return { kind: "broken", at, reason: `not valid YAML: ${message}; correct it` };
}

/** Returns where documents start after the first one, at their `---`: at the start of a line that always begins one, also in a text. */
export function documentStarts(text: string): readonly number[] {
  return [...text.matchAll(/\n---(?=\s|$)/g)].map(({ index }) => index + 1);
}

/** Returns the number of the line, from 1 on. */
export function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split("\n").length;
}

/** Returns a scalar of a document with its offsets in the whole text. */
export function moveScalar(scalar: YamlScalar, by: number): YamlScalar {
  return { ...scalar, start: scalar.start + by, end: scalar.end + by };
}

function collect(text: string, node: Node | null, parent: Context, found: Found): void {
  if (isScalar(node) || isAlias(node)) return void found.scalars.push(describe(text, node, parent));
  if (!isMap(node) && !isSeq(node)) return;
  const context = {
    isFlow: parent.isFlow || node.flow === true,
    isAnchored: parent.isAnchored || node.anchor !== undefined,
  };
  const enter = (key: string | number, value: unknown) => {
    const keys = parent.keys.length > 3 ? parent.keys : [...parent.keys, key];
    collect(text, value as Node | null, { ...context, keys, isItem: typeof key === "number" }, found);
  };
  if (isSeq(node)) return node.items.forEach((item, index) => enter(index, item));
  const names = new Set<string>();
  for (const { key, value } of node.items) {
    const name = isScalar(key) ? String(key.value) : "";
    if (isScalar(key) && names.has(name)) found.duplicates.push(key);
    names.add(name);
    enter(name, value);
  }
}

function describe(text: string, node: Node, { keys, isItem, isFlow, isAnchored }: Context): YamlScalar {
  const [start, end] = rangeOf(node);
  const source = text.slice(start, end);
  const quote = /^["']/.exec(source)?.[0] ?? "";
  const value = source.slice(quote.length, source.length - quote.length);
  return { keys, isItem, start, end, value, quote, isFlow, problem: problemOf(node, value, isAnchored) };
}

function problemOf(node: Node, value: string, isAnchored: boolean): string | null {
  if (isAlias(node)) return "the field is an alias of another one; write the value itself";
  if (isScalar(node) && node.source !== value)
    return "the value is a text of several lines, or has escapes; write it on one line without them";
  if (isAnchored || node.anchor !== undefined)
    return "the value belongs to an anchor, so that other fields would change too; write it without the anchor";
  return null;
}

/** Each node of a parsed text has its range. */
function rangeOf(node: Node): readonly [number, number, number] {
  return node.range as [number, number, number];
}
