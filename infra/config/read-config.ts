import { readFileSync } from "node:fs";
import { parse } from "yaml";
import { validate } from "../../functions/domain/text/schema-problems.ts";
import { placeholderProblem } from "./placeholders.ts";
import { configSchema, type PawlConfig, type PawlConfigInput } from "./schema.ts";

export type ConfigReading =
  | { readonly kind: "config"; readonly config: PawlConfig; readonly input: PawlConfigInput }
  | { readonly kind: "invalid"; readonly problems: readonly string[] };

export interface ReadingOptions {
  /** Accepts the values of the example, which can be synthesized, and not deployed. */
  readonly allowsPlaceholders: boolean;
}

/**
 * Reads the CDK context `pawl`: the configuration, or the path of a JSON or YAML file that contains it. Returns all
 * problems, each as `path: problem`.
 */
export function readConfig(source: unknown, options: ReadingOptions = { allowsPlaceholders: false }): ConfigReading {
  const file = typeof source === "string" ? readYaml(source) : { kind: "read" as const, value: source };
  if (file.kind === "invalid") return file;
  const placeholders = options.allowsPlaceholders ? null : placeholderProblem(file.value);
  if (placeholders !== null) return { kind: "invalid", problems: [placeholders] };
  const validation = validate(configSchema, file.value, "pawl");
  if (validation.kind === "valid")
    return { kind: "config", config: validation.value, input: file.value as PawlConfigInput };
  return { kind: "invalid", problems: validation.problems.map(({ reason }) => reason) };
}

function readYaml(path: string): { kind: "read"; value: unknown } | { kind: "invalid"; problems: readonly string[] } {
  try {
    return { kind: "read", value: parse(readFileSync(path, "utf8")) };
  } catch (error) {
    const [reason] = (error as Error).message.split("\n");
    const isMissing = (error as NodeJS.ErrnoException).code === "ENOENT";
    return {
      kind: "invalid",
      problems: [`${path}: ${reason}${isMissing ? '; run "npx --no-install pawl init" to write it' : ""}`],
    };
  }
}
