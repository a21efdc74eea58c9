import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { KubernetesObject } from "@kubernetes/client-node";
import { parseAllDocuments } from "yaml";
import { root } from "./document.ts";

export const examples: readonly string[] = globSync("examples/*.yaml", { cwd: root }).toSorted();

/** Returns the objects of an example. */
export function objectsOf(file: string): readonly KubernetesObject[] {
  const documents = parseAllDocuments(readFileSync(join(root, file), "utf8"));
  return documents.map((document) => document.toJS() as KubernetesObject);
}
