import { existsSync } from "node:fs";
import { join } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Files that take minutes on a real cluster, the longest first. The last file of a run should be a short one. */
const longest = [
  "component/cluster-port.test.ts",
  "component/cluster-port-records.test.ts",
  "component/cluster-port-canaries.test.ts",
  "claim/resume.test.ts",
  "auto-update/auto-update-edits.test.ts",
  "canary/canary-resume.test.ts",
  "canary/stateful-canary.test.ts",
  "manual-changes/manual-changes-sequences.test.ts",
  "manual-changes/manual-changes.test.ts",
  "digest/digest-failures.test.ts",
  "canary/canary.test.ts",
  "digest/digest.e2e.test.ts",
  "update/on-delete.test.ts",
  "claim/race.test.ts",
];

for (const file of longest)
  if (!existsSync(join(import.meta.dirname, "../../cluster", file)))
    throw new Error(`${file} does not exist; correct this list`);

function rankOf({ moduleId }: TestSpecification): number {
  const index = longest.findIndex((name) => moduleId.endsWith(`/cluster/${name}`));
  return index === -1 ? longest.length : index;
}

/** Starts the longest files first, and keeps the order of the others. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((one, other) => rankOf(one) - rankOf(other));
  }
}
