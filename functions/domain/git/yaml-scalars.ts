import { isAlias, isMap, isScalar, isSeq, type Node, parseAllDocuments } from "yaml";

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

/** Thrown and caught here only: the parser itself compares all keys of a mapping with each other, which takes quadratic time. */
class DuplicateKey extends Error {
  readonly at: number;
  constructor(key: string, at: number) {
    super(`the key ${key} exists twice in one mapping`);
    this.at = at;
  }
}

/** Parses all documents of a text. Offsets count characters of the text, byte order mark and carriage returns included. */
export function parseYaml(text: string): ParsedYaml {
  try {
    // Without numbers and dates: a tag such as 1.10 stays as it is written.
    const documents = parseAllDocuments(text, { schema: "failsafe", uniqueKeys: false, prettyErrors: false });
    const scalars: YamlScalar[] = [];
    for (const { errors, contents } of documents) {
      const [error] = errors;
      if (error !== undefined) return { kind: "broken", at: error.pos[0], message: error.message };
      collect(text, contents, { keys: [], isFlow: false, isAnchored: false }, scalars);
    }
    return { kind: "parsed", scalars };
  } catch (error) {
    if (error instanceof DuplicateKey) return { kind: "broken", at: error.at, message: error.message };
    return { kind: "broken", at: 0, message: "it is nested too deeply" };
  }
}

/** Returns the number of the line, from 1 on. */
export function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split("\n").length;
}

function collect(text: string, node: Node | null, parent: Context, found: YamlScalar[]): void {
  if (isScalar(node) || isAlias(node)) return void found.push(describe(text, node, parent));
  if (!isMap(node) && !isSeq(node)) return;
  const context = {
    isFlow: parent.isFlow || node.flow === true,
    isAnchored: parent.isAnchored || node.anchor !== undefined,
  };
  const keys = new Set<string>();
  node.items.forEach((item, index) => {
    if (isSeq(node)) return collect(text, item as Node | null, { ...context, keys: [...parent.keys, index] }, found);
    const { key, value } = item as { readonly key: Node | null; readonly value: Node | null };
    const name = isScalar(key) ? String(key.value) : "";
    if (isScalar(key) && keys.has(name)) throw new DuplicateKey(name, rangeOf(key)[0]);
    keys.add(name);
    return collect(text, value, { ...context, keys: [...parent.keys, name] }, found);
  });
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
