import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The part of the generated client that a bundle needs. */
export interface GeneratedClient {
  /** Returns the source of a file with API classes, with the methods that are called. */
  readonly keepMethods: (source: string) => string;
  /** Returns the source of `ObjectSerializer.js`, with the models of the requests and responses of these methods. */
  readonly keepModels: (source: string) => string;
}

/** A method of a generated class, which the generator indents by four spaces. */
const methodPattern = /^ {4}(?:async )?(\w+)\(.*\) \{\n[\s\S]*?^ {4}\}\n/gm;
const importPattern = /^(?:import \{ (\w+) \} from|export \* from) '\.\.\/models\/(\w+)\.js';?\n/gm;
const typeMapEntryPattern = /^ {4}"(\w+)": \w+,?\n/gm;

/**
 * Selects what is needed of the generated client of Kubernetes in `folder`: the methods of its API classes, of which there are thousands,
 * whose names are among `words`, and the models that these methods read and write.
 */
export function selectGenerated(folder: string, words: ReadonlySet<string>): GeneratedClient {
  const isCalled = (method: string) => method === "constructor" || words.has(method.replace(/WithHttpInfo$/, ""));
  const keepMethods = (source: string) =>
    source.replace(methodPattern, (text, method: string) => (isCalled(method) ? text : ""));
  const models = findModels(folder, readApis(folder, words).map(keepMethods));
  const keepIf = (text: string, name: string) => (models.has(name) ? text : "");
  return {
    keepMethods,
    keepModels: (source) =>
      source
        .replace(importPattern, (text, _name, file: string) => keepIf(text.startsWith("import") ? text : "", file))
        .replace(typeMapEntryPattern, keepIf),
  };
}

function readApis(folder: string, words: ReadonlySet<string>): readonly string[] {
  const names = [...words].filter((word) => /^[A-Z]\w*Api$/.test(word));
  return names.flatMap((name) => readIfPresent(join(folder, "apis", `${name}.js`)));
}

/** Returns the models that these sources name, and those that they contain. */
function findModels(folder: string, sources: readonly string[]): ReadonlySet<string> {
  const found = new Set<string>();
  const queue = sources.flatMap(namesIn);
  for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
    if (found.has(name)) continue;
    const model = readIfPresent(join(folder, "models", `${name}.js`));
    if (model.length === 0) continue;
    found.add(name);
    queue.push(...model.flatMap(namesIn));
  }
  return found;
}

/** Returns the names in the type expressions of a source: `"V1Pod"`, `"Array<V1Pod>"`, `"{ [key: string]: V1Pod; }"`. */
function namesIn(source: string): readonly string[] {
  const expressions = [...source.matchAll(/"([^"\n]*)"/g)].map(([, text = ""]) => text);
  return expressions.flatMap((text) => text.match(/\b[A-Z]\w*/g) ?? []);
}

function readIfPresent(path: string): readonly string[] {
  try {
    return [readFileSync(path, "utf8")];
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}
