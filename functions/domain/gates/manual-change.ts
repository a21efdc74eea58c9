import { tagOf } from "../image/reference.ts";
import { isSetForward, lastVersion, runningImage } from "../workload/record/current-version.ts";
import { formatRfc3339 } from "../text/rfc3339.ts";
import type { Workload } from "../workload/workload.ts";
import { versioningOf } from "../workload/policy/versioning.ts";
import { lastSucceeded } from "../workload/release/mint-release.ts";
import type { Gate } from "./gate.ts";

/**
 * A person has set another version than the last that was healthy, and nothing newer than that one exists: the running version is lower
 * than the recorded one, or is none.
 */
export const manualChangeGate: Gate = {
  name: "manual-change",
  hold: "manual-change",
  // The version that a poll has chosen is newer than both.
  isEvaluatedAgain: false,
  evaluate(workload, target) {
    const last = lastVersion(workload);
    const running = tagOf(runningImage(workload) ?? "");
    const isExpected = last === null || running === "" || running === last;
    if (target !== null || isExpected || isSetForward(running, last, versioningOf(workload.policy))) return null;
    const release = lastSucceeded(workload);
    const isRestored = release?.rolledBackFrom !== undefined && release.version === running;
    const how = isRestored
      ? `was restored in place of release ${release.rolledBackFrom}`
      : `was set manually instead of ${last}${describeReapplied(workload, last)}`;
    const ended = workload.updateRecord.versionHistory.at(-1);
    const inGit = ended?.status === "Superseded" && ended.version === last ? ended.reason : undefined;
    return {
      reason: "ManualChange",
      message: `${inGit ?? `${running} ${how}`}: held until a version newer than ${last} appears`,
      liftedBy: "pawl retry",
    };
  },
};

/** The version was applied again once: what is set back a second time stays. */
function describeReapplied({ updateRecord: { reverts } }: Workload, version: string): string {
  const entry = reverts?.reapplied.find((one) => one.version === version);
  return entry === undefined ? "" : `, which was applied again once, at ${formatRfc3339(entry.at)}`;
}
