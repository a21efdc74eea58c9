import { readFileSync } from "node:fs";
import { parse } from "yaml";

const folder = new URL("../../cluster/node-pools/crds/", import.meta.url);

/** Reads the CRDs of BootcNodePool and BootcNode. */
export function nodePoolCrds(): readonly object[] {
  return ["bootc-node-pool.yaml", "bootc-node.yaml"].map(
    (name) => parse(readFileSync(new URL(name, folder), "utf8")) as object,
  );
}
