import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseAllDocuments } from "yaml";
import { root } from "./document.ts";

export const examples: readonly string[] = globSync("examples/*.yaml", { cwd: root }).toSorted();

interface Example {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
}

/** Returns the objects of an example. */
export function objectsOf(file: string): readonly Example[] {
  const documents = parseAllDocuments(readFileSync(join(root, file), "utf8"));
  return documents.map((document) => document.toJS() as Example);
}
