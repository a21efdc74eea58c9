import { readFileSync } from "node:fs";
import { parse } from "yaml";
import type { KubeObjectInput } from "./objects.ts";

const file = new URL("../../cluster/crds/auto-update.yaml", import.meta.url);

/** Reads the CRD of AutoUpdate. */
export function autoUpdateCrd(): KubeObjectInput {
  return parse(readFileSync(file, "utf8")) as KubeObjectInput;
}
