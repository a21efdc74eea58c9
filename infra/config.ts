import { readFileSync } from "node:fs";
import { parse } from "yaml";
import type { PawlConfig } from "./config-shape.ts";
import { clusters } from "./config/clusters.ts";
import { digests, noDigests, noRegistries, proxy, registries } from "./config/images.ts";
import { object, oneOf, optional } from "./config/reader.ts";
import { alarms, noAlarms, notifications, retentionDays } from "./config/shared.ts";

export type ConfigReading =
  | { readonly kind: "config"; readonly config: PawlConfig }
  | { readonly kind: "invalid"; readonly problems: readonly string[] };

const deployment = object({
  clusters,
  registries: optional(registries, noRegistries),
  digests: optional(digests, noDigests),
  proxy: optional(proxy, null),
  notifications: optional(notifications, []),
  alarms: optional(alarms, noAlarms),
  schedulesManagedBy: optional(oneOf(["stack", "operators"]), "stack"),
  logRetentionDays: optional(oneOf(retentionDays), 30),
});

/**
 * Reads what the CDK context `pawl` holds: the configuration itself, or the path of a JSON or YAML file with it. The
 * written form is `infra/config.schema.json`. Every problem is reported at once, each as `path: what is wrong`.
 */
export function readConfig(source: unknown): ConfigReading {
  const problems: string[] = [];
  const written = typeof source === "string" ? fileOf(source, problems) : source;
  const config = problems.length > 0 ? null : deployment(written, "", problems);
  return config === null || problems.length > 0 ? { kind: "invalid", problems } : { kind: "config", config };
}

function fileOf(path: string, problems: string[]): unknown {
  try {
    return parse(readFileSync(path, "utf8"));
  } catch (error) {
    problems.push(`${path}: ${(error as Error).message.split("\n")[0]}`);
    return null;
  }
}
