import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Files that take minutes on a real cluster, the longest first. The last file of a run should be a short one. */
const longest = [
  "cluster-port.test.ts",
  "resume.test.ts",
  "canary-resume.test.ts",
  "digest-resume.test.ts",
  "manual-changes.test.ts",
  "manual-changes-sequences.test.ts",
  "image-updater-switch.test.ts",
  "stateful-canary.test.ts",
  "canary.test.ts",
  "digest.e2e.test.ts",
  "digest-failures.test.ts",
  "race.test.ts",
];

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
