import { expect, test } from "vitest";
import { isSuccessRecorded } from "../../../../functions/domain/workload/update/completion.ts";
import { digest, digestWorkload, restartInFlight, restartTarget } from "../../../support/digest-workloads.ts";
import { noon } from "../../../support/workloads.ts";

const entry = {
  version: `prod@${digest(3)}`,
  kind: "digest",
  appliedAt: noon,
  status: "Healthy",
  execution: "e-1",
} as const;
test.for([
  { when: "its execution recorded what ran", last: entry, isRecorded: true },
  {
    when: "another recorded the target itself",
    last: { ...entry, version: `prod@${digest(2)}`, execution: "e-2" },
    isRecorded: true,
  },
  { when: "another did", last: { ...entry, execution: "e-2" }, isRecorded: false },
  { when: "it failed", last: { ...entry, status: "RolledBack" as const }, isRecorded: false },
  { when: "it was of another kind", last: { ...entry, kind: "config" as const }, isRecorded: false },
  { when: "the claim remains", last: entry, claim: restartInFlight, isRecorded: false },
])("a success is recorded if $when: $isRecorded", ({ last, claim = null, isRecorded }) => {
  const workload = digestWorkload({ inFlight: claim, updateRecord: { versionHistory: [last] } });
  expect(isSuccessRecorded(workload, restartTarget, "e-1")).toBe(isRecorded);
});
