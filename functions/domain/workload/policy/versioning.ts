import type { Versioning } from "../../version/tag.ts";
import type { Policy } from "../workload.ts";

/** Returns how the tags of a workload are read. Every comparison of two of its versions uses this order. */
export function versioningOf({ versioning }: Pick<Policy, "versioning">): Versioning {
  return versioning ?? "container";
}
