import { isAlias, isMap, isScalar, isSeq, type Node, parseAllDocuments, type Scalar } from "yaml";

/** A scalar or an alias, and where a YAML text has it. */
export interface YamlScalar {
  /** Keys and indexes from the root of its document on. */
  readonly keys: readonly (string | number)[];
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
  | { readonly kind: "broken"; readonly at: number; readonly message: string };

interface Context {
  readonly keys: readonly (string | number)[];
  readonly isFlow: boolean;
  readonly isAnchored: boolean;
}

interface Found {
  readonly scalars: YamlScalar[];
  /** Keys that a mapping has twice. The parser itself compares all keys of a mapping with each other, which takes quadratic time. */
  readonly duplicates: Scalar[];
}

/** Parses all documents of a text. Offsets count characters of the text, byte order mark and carriage returns included. */
export function parseYaml(text: string): ParsedYaml {
  // Without numbers and dates: a tag such as 1.10 stays as it is written.
  const documents = parseAllDocuments(text, { schema: "failsafe", uniqueKeys: false, prettyErrors: false });
  const found: Found = { scalars: [], duplicates: [] };
  for (const { errors, contents } of documents) {
    const [error] = errors;
    if (error !== undefined) return { kind: "broken", at: error.pos[0], message: error.message };
    collect(text, contents, { keys: [], isFlow: false, isAnchored: false }, found);
  }
  const [key] = found.duplicates;
  if (key === undefined) return { kind: "parsed", scalars: found.scalars };
  return { kind: "broken", at: rangeOf(key)[0], message: `the key ${String(key.value)} exists twice in one mapping` };
}

/** Returns the document around an offset, from its `---` on: at the start of a line that always begins one, also in a text. */
export function documentAt(text: string, offset: number): { readonly start: number; readonly text: string } {
  const starts = [...text.matchAll(/\n---(?=\s|$)/g)].map(({ index }) => index + 1);
  const start = starts.findLast((one) => one <= offset) ?? 0;
  return {
    start,
    text: text.slice(
      start,
      starts.find((one) => one > offset),
    ),
  };
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
  const enter = (key: string | number, value: unknown) =>
    collect(text, value as Node | null, { ...context, keys: [...parent.keys, key] }, found);
  if (isSeq(node)) return node.items.forEach((item, index) => enter(index, item));
  const known = new Set<string>();
  for (const { key, value } of node.items) {
    const name = isScalar(key) ? String(key.value) : "";
    if (isScalar(key) && known.has(name)) found.duplicates.push(key);
    known.add(name);
    enter(name, value);
  }
}

function describe(text: string, node: Node, { keys, isFlow, isAnchored }: Context): YamlScalar {
  const [start, end] = rangeOf(node);
  const source = text.slice(start, end);
  const quote = /^["']/.exec(source)?.[0] ?? "";
  const value = source.slice(quote.length, source.length - quote.length);
  return { keys, start, end, value, quote, isFlow, problem: problemOf(node, value, isAnchored) };
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
