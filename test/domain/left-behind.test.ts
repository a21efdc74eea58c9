import { expect, test } from "vitest";
import { emptyBookkeeping } from "../../functions/domain/bookkeeping.ts";
import { leftPodsBehind } from "../../functions/domain/left-behind.ts";
import type { HistoryEntry } from "../../functions/domain/workload.ts";
import { noon } from "../support/workloads.ts";

const digest = `prod@sha256:${"1".repeat(64)}`;

test.for([
  { when: "nothing was tried yet", last: [], left: false },
  { when: "a restart failed", last: [digest, "RolledBack"], left: true },
  { when: "a restart succeeded", last: [digest, "Healthy"], left: false },
  { when: "an update to a tag was rolled back", last: ["1.2.0", "RolledBack"], left: false },
] as const)("when $when pods may be left behind: $left", ({ last: [version, status], left }) => {
  const failed: HistoryEntry = { version: digest, appliedAt: noon, status: "RolledBack" };
  const entries = version === undefined ? [] : [failed, { version, appliedAt: noon, status }];
  expect(leftPodsBehind({ ...emptyBookkeeping, versionHistory: entries })).toBe(left);
});
