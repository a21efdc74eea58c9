import { parseSync } from "oxc-parser";

/** One change of a source that a test should notice. */
export interface Mutant {
  /** From 1. */
  readonly line: number;
  /** Offsets of the text that is replaced, in UTF-16 code units. */
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
}

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [field: string]: unknown;
}

const operators: Readonly<Record<string, string>> = {
  "<": "<=",
  "<=": "<",
  ">": ">=",
  ">=": ">",
  "===": "!==",
  "!==": "===",
  "+": "-",
  "-": "+",
  "*": "/",
  "/": "*",
  "&&": "||",
  "||": "&&",
};

/** Returns each mutant of a TypeScript source: another operator, a negated condition, another boolean or number. Types are left out. */
export function mutantsOf(source: string): readonly Mutant[] {
  const { program } = parseSync("source.ts", source);
  return nodesIn(program as unknown as Node).flatMap((node) =>
    changesOf(node, source).map((change) => ({ line: source.slice(0, change.start).split("\n").length, ...change })),
  );
}

export function applyMutant(source: string, { start, end, replacement }: Mutant): string {
  return source.slice(0, start) + replacement + source.slice(end);
}

function changesOf(node: Node, source: string): readonly Omit<Mutant, "line">[] {
  const text = ({ start, end }: Node) => source.slice(start, end);
  const replace = ({ start, end }: Node, replacement: string) => ({ start, end, replacement });
  const negated = (condition: Node) => [replace(condition, `!(${text(condition)})`)];
  if (node.type === "BinaryExpression" || node.type === "LogicalExpression") {
    const { left, right, operator } = node as unknown as { left: Node; right: Node; operator: string };
    if (operator === "??") return [replace(node, text(left))];
    const other = operators[operator];
    const between = { ...node, start: left.end, end: right.start };
    return other === undefined ? [] : [replace(between, text(between).replace(operator, other))];
  }
  if (node.type === "ConditionalExpression" || node.type === "IfStatement") return negated(node["test"] as Node);
  if (node.type === "Literal" && typeof node["value"] === "boolean") return [replace(node, String(!node["value"]))];
  if (node.type === "Literal" && typeof node["value"] === "number") return [replace(node, `${node["value"] + 1}`)];
  return [];
}

/** Returns a node and all below it, but for types. */
function nodesIn(node: Node): readonly Node[] {
  const below = Object.values(node)
    .flatMap((field) => (Array.isArray(field) ? (field as unknown[]) : [field]))
    .filter(isNode)
    .filter(({ type }) => !type.startsWith("TS") || expressions.has(type));
  return [node, ...below.flatMap(nodesIn)];
}

const expressions: ReadonlySet<string> = new Set(["TSAsExpression", "TSSatisfiesExpression", "TSNonNullExpression"]);

function isNode(field: unknown): field is Node {
  return typeof field === "object" && field !== null && "type" in field && "start" in field;
}
