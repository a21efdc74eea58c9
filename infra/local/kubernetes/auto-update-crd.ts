import { readFileSync } from "node:fs";
import { parse } from "yaml";
import type { KubeObjectInput } from "./objects.ts";

const file = new URL("../../cluster/crds/auto-update.yaml", import.meta.url);

let crd: KubeObjectInput | null = null;

/** Reads the CRD of AutoUpdate, once: to parse it takes longer than the rest of a cluster's start. */
export function autoUpdateCrd(): KubeObjectInput {
  crd ??= parse(readFileSync(file, "utf8")) as KubeObjectInput;
  return crd;
}
