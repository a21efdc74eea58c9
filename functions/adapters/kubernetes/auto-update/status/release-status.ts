import { parseRfc3339 } from "../../../../domain/text/rfc3339.ts";
import type { Release } from "../../../../domain/workload/release/release.ts";
import type { ReleaseStatus } from "./status-fields.ts";

/** Reads the releases. One whose time is invalid is left out: Pawl did not write it. */
export function readReleases(releases: readonly ReleaseStatus[] = []): readonly Release[] {
  return releases.flatMap(({ at, by, result, ...release }) => {
    const time = parseRfc3339(at);
    if (time === null) return [];
    return [
      {
        ...release,
        at: time,
        by: by === "pawl" ? "pawl" : "hand",
        result: result === "Succeeded" ? "Succeeded" : "Failed",
      },
    ];
  });
}
