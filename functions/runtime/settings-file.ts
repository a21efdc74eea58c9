import { readFileSync } from "node:fs";
import type { Environment } from "./settings.ts";

/** Adds the settings of PAWL_SETTINGS_FILE: those that are too long for the environment of a function. */
export function withSettingsFile(environment: Environment): Environment {
  const path = environment["PAWL_SETTINGS_FILE"] || null;
  if (path === null) return environment;
  return { ...(JSON.parse(readFileSync(path, "utf8")) as Environment), ...environment };
}
