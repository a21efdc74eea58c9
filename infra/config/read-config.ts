import { readFileSync } from "node:fs";
import { parse } from "yaml";
import { validate } from "../../functions/domain/text/schema-problems.ts";
import { configSchema, type PawlConfig } from "./schema.ts";

export type ConfigReading =
  | { readonly kind: "config"; readonly config: PawlConfig }
  | { readonly kind: "invalid"; readonly problems: readonly string[] };

/**
 * Reads the CDK context `pawl`: the configuration, or the path of a JSON or YAML file that contains it. Returns all
 * problems, each as `path: problem`.
 */
export function readConfig(source: unknown): ConfigReading {
  const file = typeof source === "string" ? readYaml(source) : { kind: "read" as const, value: source };
  if (file.kind === "invalid") return file;
  const validation = validate(configSchema, file.value, "pawl");
  if (validation.kind === "valid") return { kind: "config", config: validation.value };
  return { kind: "invalid", problems: validation.problems.map(({ reason }) => reason) };
}

function readYaml(path: string): { kind: "read"; value: unknown } | { kind: "invalid"; problems: readonly string[] } {
  try {
    return { kind: "read", value: parse(readFileSync(path, "utf8")) };
  } catch (error) {
    return { kind: "invalid", problems: [`${path}: ${(error as Error).message.split("\n")[0]}`] };
  }
}
