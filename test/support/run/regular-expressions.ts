import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Expression, parseSync, type Program, Visitor } from "oxc-parser";

export interface FoundExpression {
  /** `file:line`. */
  readonly place: string;
  /** null if it is built from what is known only at run time. */
  readonly source: string | null;
  readonly flags: string;
}

/** Finds every regular expression in the TypeScript files of some folders: literals, and `RegExp` of constant strings. */
export function findRegularExpressions(folders: readonly string[], root: string): readonly FoundExpression[] {
  const files = folders.flatMap((folder) => globSync(`${folder}/**/*.ts`, { cwd: root }));
  return files.toSorted().flatMap((file) => findInFile(file, root));
}

function findInFile(file: string, root: string): readonly FoundExpression[] {
  const path = join(root, file);
  const text = readFileSync(path, "utf8");
  const found: FoundExpression[] = [];
  const add = (start: number, source: string | null, flags: string) =>
    found.push({ place: `${file}:${text.slice(0, start).split("\n").length}`, source, flags });
  const construct = ({ callee, arguments: [source, flags], start }: Construction) => {
    if (callee.type !== "Identifier" || callee.name !== "RegExp") return;
    add(start, source === undefined ? "" : constantText(source as Expression, path), flagsOf(flags as Expression));
  };
  const visitor = new Visitor({
    Literal(node) {
      if ("regex" in node) add(node.start, node.regex.pattern, node.regex.flags);
    },
    NewExpression: construct,
    CallExpression: construct,
  });
  visitor.visit(parse(path));
  return found;
}

interface Construction {
  readonly callee: Expression;
  readonly arguments: readonly object[];
  readonly start: number;
}

function parse(path: string): Program {
  return parseSync(path, readFileSync(path, "utf8")).program;
}

function flagsOf(node: Expression | undefined): string {
  return node?.type === "Literal" && typeof node.value === "string" ? node.value : "";
}

/** Returns the value of a string, a template or a sum of these, also with constants of this or an imported file. */
function constantText(node: Expression, path: string): string | null {
  if (node.type === "Literal") return typeof node.value === "string" ? node.value : null;
  if (node.type === "Identifier") return constantOf(node.name, path);
  if (node.type === "TaggedTemplateExpression") return constantText(node.quasi, path);
  if (node.type === "BinaryExpression") return concatenate(node.left as Expression, node.right, path);
  if (node.type !== "TemplateLiteral") return null;
  return node.quasis.reduce<string | null>((text, { value }, index) => {
    const expression = node.expressions[index];
    const next = expression === undefined ? "" : constantText(expression, path);
    return text === null || next === null ? null : text + value.raw + next;
  }, "");
}

function concatenate(left: Expression, right: Expression, path: string): string | null {
  const [one, other] = [constantText(left, path), constantText(right, path)];
  return one === null || other === null ? null : one + other;
}

/** Finds a constant of a file, or of a file that it imports it from. */
function constantOf(name: string, path: string): string | null {
  for (const statement of parse(path).body) {
    const declaration = statement.type === "ExportNamedDeclaration" ? statement.declaration : statement;
    if (declaration?.type === "VariableDeclaration") {
      const found = declaration.declarations.find(({ id }) => id.type === "Identifier" && id.name === name);
      if (found?.init) return constantText(found.init, path);
    }
    if (statement.type !== "ImportDeclaration") continue;
    const imported = join(dirname(path), statement.source.value);
    const isFrom = statement.specifiers.some(({ local }) => local.name === name);
    if (isFrom && existsSync(imported)) return constantOf(name, imported);
  }
  return null;
}
